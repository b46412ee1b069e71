import Herald

/// A session of the language: a name, a thread, a view of the store.
///
/// `main` runs on the thread that drives the interpreter; every other on one of its own.
final class ShellSession {
  let name: String
  /// nil for `main`.
  let thread: SessionThread?
  let mailbox: Mailbox
  var store: DynamicStore?
  /// The number of transactions that this session has begun, in blocks or with `begin`; other sessions
  /// are refused theirs meanwhile.
  var writesOpen = 0
  /// The number of nested deliveries and writes that are running; the store cannot be closed meanwhile.
  var blocksRunning = 0
  /// Whether something has run on it since its turn ended.
  var isTouched = false
  /// Whether observers were registered from another session, whose initial event is of that version.
  var hasNewObservers = false
  /// The variables before each transaction that was begun with `begin`.
  var variablesBeforeWrites: [[String: Variable]] = []
  /// The number of nested changes that are running.
  var changesRunning = 0
  /// The objects that nested literals have added in the running changes: a change that fails removes
  /// its own.
  var addedNested: [DynamicObject] = []
  /// The objects that nested literals have created outside of a store, kept until something links to
  /// them.
  var newNested: [NewObject] = []

  init(name: String, thread: SessionThread? = nil, store: DynamicStore? = nil) {
    self.name = name
    self.thread = thread
    self.mailbox = thread?.mailbox ?? Mailbox()
    self.store = store
  }
}

/// The content of a variable: an object rather than one session's view of it.
enum Variable {
  case value(Value)
  case values([Value])
  case object(HeldObject)
  case newObject(NewObject)
  case collection(Recipe)
  /// A projection of an object, by its name.
  case projection(String, HeldObject)
  /// A frozen object or collection, or a value reached from one: the same in every session.
  case frozen(Resolved)
}

/// An object that a variable names in every session, and its literal for messages after its deletion.
struct HeldObject {
  let id: ObjectID
  let label: ObjectLabel

  init(_ object: DynamicObject) {
    id = object.id
    label = object.label
  }

  var name: String { LiteralText.text(label) }
}

/// The recipe of a live collection, which each session that uses it evaluates.
final class Recipe {
  indirect enum Origin {
    case className(Name)
    case property(of: HeldObject, named: String)
    case recipe(Recipe)
  }
  let origin: Origin
  let tail: QueryTail?
  /// The text that the spans of the names and of the tail refer to.
  let source: Source
  let span: SourceSpan
  /// The variables at the time when the collection was named.
  let scope: VariableScope

  init(origin: Origin, tail: QueryTail?, source: Source, span: SourceSpan, scope: VariableScope) {
    self.origin = origin
    self.tail = tail
    self.source = source
    self.span = span
    self.scope = scope
  }
}

/// The variables in scope of a statement: those of its block, then the global ones.
struct VariableScope {
  var shared: [String: Variable]
  var local: [String: Variable]

  subscript(name: String) -> Variable? { local[name] ?? shared[name] }

  var names: [String] { local.keys.sorted() + shared.keys.sorted() }
}

/// The treatment of an object that is not in a store where a value is needed.
enum NewObjectUse {
  /// An error: the value is only read.
  case refused
  /// A placeholder link, in an object that is not in a store either.
  case linked
  /// A link to the object, which is added now.
  case added
}

/// The context in which a statement runs.
struct Context {
  let source: Source
  let session: ShellSession
  /// `$rows`, `$object` and the like, inside a `do` block.
  var locals: [String: Variable] = [:]
  /// Whether nested objects in literals also update those with the same key, as in `upsert`.
  var isUpserting = false
  /// The treatment of an object that is not in a store where a value is needed.
  var newObjects = NewObjectUse.refused
  /// Whether turns end after each statement, as in a script.
  var isTopLevel = false
}

extension Context {
  /// The same context, for a statement that assigns values to objects.
  func giving(_ use: NewObjectUse) -> Context {
    var context = self
    context.newObjects = use
    return context
  }
}
