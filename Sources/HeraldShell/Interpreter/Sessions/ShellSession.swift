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
  /// The time of the statement that is running.
  var time: Timestamp {
    if let knownTime { return knownTime }
    let time = Timestamp.now
    knownTime = time
    return time
  }
  /// Once it was asked for.
  private var knownTime: Timestamp?

  /// The number of nested changes that are running.
  var changesRunning = 0
  /// The objects that nested literals have added in the running changes: a change that fails removes
  /// its own.
  var addedNested: [ObjectHandle] = []
  /// The objects that nested literals have created outside of a store, kept until something links to
  /// them.
  var newNested: [NewObject] = []

  init(name: String, thread: SessionThread? = nil, store: DynamicStore? = nil) {
    self.name = name
    self.thread = thread
    self.mailbox = thread?.mailbox ?? Mailbox()
    self.store = store
  }

  func beginStatement() { knownTime = nil }

  /// The session, reading another version in the same statement.
  func at(_ version: DynamicStore) -> ShellSession {
    let other = ShellSession(name: name, store: version)
    other.knownTime = time
    return other
  }
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
