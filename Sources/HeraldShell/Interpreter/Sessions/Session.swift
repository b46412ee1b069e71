import Herald

/// A session of the language: a name, a thread, a view of the store.
///
/// `main` runs on the thread that drives the interpreter; every other on one of its own.
final class Session {
  let name: String
  /// nil for `main`.
  let thread: SessionThread?
  let mailbox: Mailbox
  var store: Store?
  /// Writes that this session has begun, in blocks or by hand: other sessions are refused theirs.
  var writesOpen = 0
  /// Deliveries and writes that are running, inside one another: the store cannot be closed then.
  var blocksRunning = 0
  /// Something has run on it since its turn ended.
  var isTouched = false
  /// Observers were registered from another session, which hear first of what was there then.
  var hasNewcomers = false
  /// The variables as they were before each write that was begun by hand.
  var variablesBeforeWrites: [[String: Variable]] = []
  /// Changes that are running, inside one another.
  var changesRunning = 0
  /// The objects that literals inside others have made in the changes that are running: a change
  /// that fails takes back its own.
  var madeInside: [Object] = []
  /// The objects in no store that literals inside others have made, until something links to them.
  var newInside: [NewObject] = []

  init(name: String, thread: SessionThread? = nil, store: Store? = nil) {
    self.name = name
    self.thread = thread
    self.mailbox = thread?.mailbox ?? Mailbox()
    self.store = store
  }
}

/// What a variable holds: an object rather than one session's view of it.
enum Variable {
  case value(Value)
  case values([Value])
  case object(HeldObject)
  case newObject(NewObject)
  case collection(Recipe)
  /// A projection of an object, by its name.
  case projection(String, HeldObject)
  /// What was frozen, or reached from it: the same in every session.
  case frozen(Resolved)
}

/// An object that a variable means in every session, and how it is typed: told when it is gone.
struct HeldObject {
  let id: ObjectID
  let label: ObjectLabel

  init(_ object: Object) {
    id = object.id
    label = object.label
  }

  var name: String { LiteralText.text(label) }
}

/// How a live collection is made again in the session that uses it.
final class Recipe {
  indirect enum Origin {
    case className(Name)
    case property(of: HeldObject, named: String)
    case recipe(Recipe)
  }
  let origin: Origin
  let tail: QueryTail?
  /// The text that the names and the tail point into.
  let source: Source
  let span: SourceSpan
  /// The variables as they were when the collection was named.
  let scope: Scope

  init(origin: Origin, tail: QueryTail?, source: Source, span: SourceSpan, scope: Scope) {
    self.origin = origin
    self.tail = tail
    self.source = source
    self.span = span
    self.scope = scope
  }
}

/// The variables that a statement sees: those of its block, then everybody's.
struct Scope {
  var shared: [String: Variable]
  var local: [String: Variable]

  subscript(name: String) -> Variable? { local[name] ?? shared[name] }

  var names: [String] { local.keys.sorted() + shared.keys.sorted() }
}

/// What an object that is in no store becomes where a value is wanted.
enum NewObjectUse {
  /// Nothing: a value is only looked at.
  case refused
  /// A link that stands for it, in an object that is in no store either.
  case linked
  /// A link to what it is once it is added, here and now.
  case added
}

/// Where a statement runs.
struct Context {
  let source: Source
  let session: Session
  /// `$rows`, `$object` and the like, inside a `do` block.
  var locals: [String: Variable] = [:]
  /// `upsert`: objects in literals inside others replace those with the same key too.
  var isUpserting = false
  /// What an object that is in no store becomes where a value is wanted.
  var newObjects = NewObjectUse.refused
  /// Statements of a script, after each of which turns end.
  var isTopLevel = false
}

extension Context {
  /// The same place, for a statement that gives objects values.
  func giving(_ use: NewObjectUse) -> Context {
    var context = self
    context.newObjects = use
    return context
  }
}
