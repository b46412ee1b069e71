/// Everything that can go wrong with a store, as data: each case carries the offending name, value
/// or path. Whichever is thrown, the store is as its last commit left it. `message` is the text.
public enum HeraldError: Error, Hashable, Sendable {
  /// No class has the name.
  case unknownClass(String, nearest: String?)
  /// The class is only known as the target of links: it has no declaration yet.
  case undeclaredClass(String)
  /// A class of the name is declared already.
  case classExists(String)
  /// A projection has the name.
  case projectionExists(String)
  /// A saved query has the name.
  case queryExists(String)
  /// A word that stands where the name of a class may, and so cannot be one.
  case reservedName(String)
  /// A string that is not a valid name of a class or property.
  case invalidName(String)
  /// The class has no property of the name.
  case unknownProperty(String, className: String, nearest: String?)
  /// A declaration has two properties of one name.
  case duplicateProperty(String, className: String)
  /// `property` is the invalid property, if it is a single one.
  case invalidSchema(String, property: String? = nil)
  /// A declaration differs from the store's class in more than can be applied; `remedy` is the
  /// statement that resolves it.
  case schemaDiffers(className: String, reason: String, remedy: String)
  /// `user` refers to the class or property and must be dropped first.
  case inUse(String, user: String)
  /// A value that an altered property cannot hold.
  case cannotConvert(object: String, property: String, expected: String, value: String)
  /// Two objects would have one value of a primary key.
  case duplicateInAlter(object: String, other: String, property: String, value: String)
  /// The class has objects, and a new property has no value for them.
  case needsDefault(property: String, className: String, object: String)
  /// A class or property that a query or collection depends on was dropped, or changed its type.
  case droppedFromSchema(String)
  /// A property cannot hold a value of this type.
  case wrongType(property: String, className: String, expected: String, value: String)
  /// A property that is not optional has no value, and no default.
  case missingValue(property: String, className: String)
  /// Objects are added by columns of different lengths: `property` has `count` values, and `other` `expected`.
  case unequalColumns(
    property: String, className: String, count: Int, other: String, expected: Int)
  /// Lists and maps nested more than `limit` levels deep.
  case nestedTooDeeply(property: String, className: String, limit: Int)
  /// The class has no primary key, by which an object could be found.
  case noPrimaryKey(className: String)
  /// Another object of the class has the value of the primary key.
  case duplicateKey(String, className: String, property: String)
  /// No projection has the name.
  case unknownProjection(String, nearest: String?)
  /// The projection has no field of the name.
  case unknownField(String, projection: String, nearest: String?)
  /// A field is assigned whose path has a link that is nil.
  case fieldReadOnly(String, projection: String)
  /// A new object whose properties are observed is added.
  case hasObservers(String)
  /// Backlinks are assigned; they follow from the links.
  case cannotChangeBacklinks(String)
  /// The embedded object is part of another object already.
  case embeddedHasOwner(String)
  /// Embedded objects nested more than `limit` levels deep.
  case embeddedTooDeeply(className: String, limit: Int)
  /// An embedded object is added by itself.
  case embeddedNeedsOwner(className: String)
  /// The primary key of an object that was added is assigned.
  case keyCannotChange(property: String, className: String)
  /// No object has the primary key or number.
  case noSuchObject(String)
  /// The object was deleted, or its adding was rolled back.
  case objectDeleted(String)
  /// An object that is in no store is used as if it were.
  case objectNotAdded(String)
  /// A property of single values is used as a list, a set or a map.
  case notACollection(property: String, className: String)
  /// `next` is the step that cannot follow, if there is one.
  case notALink(property: String, className: String, next: String? = nil)
  /// A collection has no row of the index.
  case rowOutOfRange(Int, count: Int)
  /// The store is changed outside a transaction.
  case notInWrite
  /// A commit or a rollback without an open transaction.
  case noOpenWrite
  /// A transaction is begun in another one.
  case writeInProgress
  /// Another session or process is writing, and the caller does not wait.
  case writerBusy
  /// Transactions are nested more deeply than the number.
  case tooManyNestedWrites(Int)
  /// Property observers whose blocks assign observed properties recursively.
  case tooManyNestedNotifications(Int)
  /// Blocks that write in response to the writes of blocks, endlessly: this many in a row.
  case endlessWrites(Int)
  /// A write transaction that needs more than this many bytes of memory.
  case writeTooLarge(limit: Int)
  /// An observer is registered in a transaction that has changed something.
  case observeAfterChange
  /// No observer has the name.
  case unknownToken(String, nearest: String?)
  /// An observer that has ended is to be silenced.
  case deadToken(String)
  /// An observer of another session is to be silenced.
  case foreignToken(String)
  /// An observer of a property, which is notified at the assignment, is to be silenced.
  case cannotSilence(String)
  /// An observer of the name exists already.
  case tokenExists(String)
  /// What cannot be observed.
  case cannotObserve(String)
  /// What an observed query reads does not fit it any more, for a reason.
  case cannotContinue(String)
  /// Key paths are given for a collection of values.
  case keyPathsOnValues(String)
  /// An object or a collection of another session is used.
  case wrongSession
  /// What is frozen is changed.
  case frozen
  /// Something is frozen while a transaction is open.
  /// The session is closed.
  case closed
  /// The store was opened for reading only.
  case readOnly
  /// The file is no store.
  case notAStore(path: String)
  /// The file was written by a newer version, in a form that this one does not read.
  case newerFormat(path: String, found: Int, supported: Int)
  /// The file was written by an older version, in a form that this one does not read.
  case olderFormat(path: String, found: Int, oldest: Int)
  /// The file has pages that do not fit together.
  case damaged(path: String, reason: String)
  /// The file cannot be opened, for a reason of the system's.
  case cannotOpen(path: String, reason: String)
  /// The file cannot be written, for a reason of the system's.
  case cannotWrite(path: String, reason: String)
  /// A file is not a backup of the store that can be brought up to date.
  case cannotUpdate(path: String, reason: String)
  /// Another program has made the store's file before the first commit of this one, which was rolled back.
  case storeMade(path: String)
  /// Another file is at the path of an open store.
  case storeReplaced(path: String)
  /// No file is at the path of an open store any more.
  case storeRemoved(path: String)
  /// The file of locks beside the store was replaced while the store was open.
  case lockReplaced(path: String)
  /// The file of locks beside the store was removed while the store was open.
  case lockRemoved(path: String)
  /// Another program has the store open with another lock file.
  case otherLockInUse(path: String)
  /// Another program has the store open that was at the path before this one.
  case otherStoreInUse(path: String)
  /// Another program may be writing, and this process cannot register as a reader in the lock file.
  case lockNeeded(path: String)
  /// The disk failed during a commit, which was rolled back.
  case diskFailed(path: String, reason: String)
  /// Another program keeps the store to itself.
  case locked(path: String)
  /// The log no longer reaches back to the version that a waiting session was at.
  case logTrimmed(version: Int)
  /// The store has had no such version yet.
  case noSuchVersion(Int, newest: Int)
  /// The log no longer reaches back to the version.
  case versionNotKept(Int, oldest: Int)
  /// The log no longer reaches back to the time.
  case timeNotKept(Timestamp, oldest: Int)
  /// No commit is left to undo, or, if `isRedo`, no undo to revert.
  case nothingToUndo(isRedo: Bool)
  /// The commit cannot be undone, for a reason that `objects` name.
  case cannotUndo(version: Int, reason: String, objects: [String])
  /// Another machine has committed first.
  case raceLost
  /// The servers of the stream that the store follows cannot be reached.
  case notConnected(stream: String, reason: String)
  /// The servers did not confirm a commit, which they may have accepted all the same.
  case notConfirmed(stream: String, reason: String)
  /// The store follows a stream, by whose address it was not opened.
  case isReplica(path: String, stream: String)
  /// The file cannot follow a stream: it follows another one, or has commits of its own.
  case otherStream(path: String, stream: String)
  /// The stream cannot be followed; `reason` says why.
  case replication(stream: String, reason: String)
  /// The store has reached its limit of size.
  case full(path: String)
  /// The storage below reports an error.
  case storage(String)
  /// A query was stopped by its `Interruption`.
  case interrupted
}

extension HeraldError: CustomStringConvertible {
  /// The text, as a sentence without its full stop.
  public var description: String { message }

  /// The text, as a sentence without its full stop.
  public var message: String {
    switch self {
    case .unknownClass(let name, let nearest): "unknown class '\(name)'" + suggestion(nearest)
    case .undeclaredClass(let name): "class '\(name)' is not declared yet"
    case .classExists(let name): "class '\(name)' exists already"
    case .projectionExists(let name):
      "the projection '\(name)' exists already; choose another name, or drop it: 'drop \(name)'"
    case .queryExists(let name):
      "the saved query '\(name)' exists already; choose another name, or drop it: 'drop \(name)'"
    case .reservedName(let name):
      "'\(name)' is a word of the language; choose another name, such as "
        + "'\(name.prefix(1).uppercased())\(name.dropFirst())'"
    case .invalidName(let name): "'\(name)' is not a valid name"
    case .unknownProperty(let name, let className, let nearest):
      "class '\(className)' has no property '\(name)'" + suggestion(nearest)
    case .duplicateProperty(let name, let className):
      "class '\(className)' has two properties '\(name)'"
    case .invalidSchema(let reason, _): reason
    case .schemaDiffers(let className, let reason, let remedy):
      "class '\(className)' differs in the store: \(reason); \(remedy)"
    case .inUse(let name, let user): "'\(name)' is in use: \(user) refers to it"
    case .cannotConvert(let object, let property, let expected, let value):
      "cannot convert \(object): its '\(property)' is \(value), which cannot become \(expected)"
    case .duplicateInAlter(let object, let other, let property, let value):
      "\(object) and \(other) would both have the primary key \(property) \(value)"
    case .needsDefault(let property, let className, let object):
      "the new property '\(property)' of class '\(className)' needs a default, or '?': "
        + "\(object) would have no value"
    case .droppedFromSchema(let name): "\(name) was dropped, or has another type now"
    case .wrongType(let property, let className, let expected, let value):
      "property '\(property)' of class '\(className)' is \(expected) and cannot hold \(value)"
    case .missingValue(let property, let className):
      "property '\(property)' of class '\(className)' needs a value"
    case .unequalColumns(let property, let className, let count, let other, let expected):
      "property '\(property)' of class '\(className)' gets \(count) values, and '\(other)' "
        + "\(expected)"
    case .nestedTooDeeply(let property, let className, let limit):
      "property '\(property)' of class '\(className)' nests lists and maps at most "
        + "\(limit) levels deep"
    case .noPrimaryKey(let className): "class '\(className)' has no primary key"
    case .duplicateKey(let key, let className, let property):
      "an object of class '\(className)' with \(property) \(key) exists already"
    case .unknownProjection(let name, let nearest):
      "unknown projection '\(name)'" + suggestion(nearest)
    case .unknownField(let name, let projection, let nearest):
      "projection '\(projection)' has no field '\(name)'" + suggestion(nearest)
    case .fieldReadOnly(let name, let projection):
      "field '\(name)' of projection '\(projection)' cannot be set: a link on its path is nil"
    case .hasObservers(let name): "\(name) has observers: it cannot be added to a store"
    case .cannotChangeBacklinks(let name):
      "backlinks '\(name)' are kept by the store; change the links instead"
    case .embeddedHasOwner(let name): "the embedded object \(name) has an owner already"
    case .embeddedTooDeeply(let name, let limit):
      "embedded objects nest at most \(limit) levels deep: the new \(name) would be one more"
    case .embeddedNeedsOwner(let name):
      "class '\(name)' is embedded: its objects are added as part of their owner"
    case .keyCannotChange(let property, let className):
      "the primary key '\(property)' of class '\(className)' cannot change"
    case .noSuchObject(let name): "there is no object \(name)"
    case .objectDeleted(let name): "the object \(name) was deleted"
    case .objectNotAdded(let name): "the object \(name) was never added to a store"
    case .notACollection(let property, let className):
      "property '\(property)' of class '\(className)' is not a collection"
    case .notALink(let property, let className, let next):
      "property '\(property)' of class '\(className)' is not a link"
        + (next.map { ": '\($0)' cannot follow it" } ?? "")
    case .rowOutOfRange(let row, let count):
      "row \(row) is out of range: "
        + (count == 1 ? "there is 1 row" : "there are \(count) rows")
    case .notInWrite: "a change needs a write transaction"
    case .noOpenWrite: "no transaction is open; begin one first"
    case .writeInProgress: "a write is already in progress"
    case .writerBusy: "another session has a write transaction open"
    case .tooManyNestedWrites(let limit): "more than \(limit) nested writes"
    case .tooManyNestedNotifications(let limit):
      "property observers notify one another more than \(limit) levels deep"
    case .endlessWrites(let limit):
      "observers have written \(limit) times in a row, each in response to the previous write: "
        + "this write is refused to end the loop"
    case .writeTooLarge(let limit):
      "this write needs more than \(limit) bytes of memory, and was rolled back: split it into several, "
        + "or raise the limit with '--max-write'"
    case .observeAfterChange: "observing inside a write is possible only before its first change"
    case .unknownToken(let name, let nearest): "unknown token '\(name)'" + suggestion(nearest)
    case .deadToken(let name): "token '\(name)' is dead"
    case .foreignToken(let name): "token '\(name)' belongs to another session or store"
    case .cannotSilence(let name):
      "token '\(name)' observes a property and cannot be silenced: it is notified at the assignment"
    case .tokenExists(let name): "a token named '\(name)' exists already"
    case .cannotObserve(let what): "\(what) cannot be observed"
    case .cannotContinue(let reason): "the query cannot be answered any more: \(reason)"
    case .keyPathsOnValues(let property):
      "key paths need objects: '\(property)' is a collection of plain values"
    case .wrongSession: "this object belongs to another session"
    case .frozen: "frozen objects and results cannot be changed"
    case .closed: "the store is closed"
    case .readOnly: "the store is read-only"
    case .notAStore(let path): "'\(path)' is not a store"
    case .newerFormat(let path, let found, let supported):
      "'\(path)' has format \(found), newer than this program's format \(supported)"
    case .olderFormat(let path, let found, let oldest):
      "'\(path)' has format \(found); this program reads formats from \(oldest) on"
    case .damaged(let path, let reason): "\(named(path)) is damaged: \(reason)"
    case .cannotOpen(let path, let reason): "cannot open '\(path)': \(reason)"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    case .cannotUpdate(let path, let reason): "cannot bring '\(path)' up to date: \(reason)"
    case .storeMade(let path):
      "another program made '\(path)' during this transaction, which was rolled back; run it again"
    case .storeReplaced(let path):
      "the store's file '\(path)' was replaced by another while it was open; close it and open it again"
    case .storeRemoved(let path):
      "the store's file '\(path)' was removed or moved while it was open; put it back to continue"
    case .lockReplaced(let path):
      "the lock file '\(path)' was replaced by another while the store is open; close the store in "
        + "every program, then open it again"
    case .lockRemoved(let path):
      "the lock file '\(path)' was removed while the store is open; close the store in every program, "
        + "then open it again"
    case .otherLockInUse(let path):
      "cannot open '\(path)': another program has it open with a lock file that was removed or "
        + "replaced; end that program first"
    case .otherStoreInUse(let path):
      "cannot open '\(path)': another program has the store open that was here before; end that "
        + "program first"
    case .lockNeeded(let path):
      "cannot read '\(path)' while another program may write to it: readers register in its lock file, "
        + "which this user may not write; its owner permits that with 'chmod o+w \(path)-lock', or end "
        + "that program"
    case .diskFailed(let path, let reason):
      "the disk failed during a commit to \(named(path)), which was rolled back: \(reason)"
    case .locked(let path): "\(named(path)) is locked by another program"
    case .logTrimmed(let version):
      "the log no longer reaches back to version \(version); observe again"
    case .noSuchVersion(let version, let newest):
      version == 0
        ? "version 0 has no commit: it is the new store"
        : "there is no version \(version); the newest is \(newest)"
    case .versionNotKept(let version, let oldest):
      "version \(version) is not kept; the oldest version that is kept is \(oldest)"
    case .timeNotKept(let time, let oldest):
      "no version of \(time.iso8601) is kept; the oldest version that is kept is \(oldest)"
    case .nothingToUndo(let isRedo): "nothing to \(isRedo ? "redo" : "undo")"
    case .cannotUndo(let version, let reason, let objects):
      "version \(version) cannot be undone: \(reason)" + listed(objects)
    case .raceLost: "another machine is writing"
    case .notConnected(let stream, let reason):
      "not connected to stream '\(stream)': \(reason); reading goes on, writing is refused"
    case .notConfirmed(let stream, let reason):
      "stream '\(stream)' has not confirmed the commit, which may be accepted all the same: \(reason)"
    case .isReplica(let path, let stream):
      "'\(path)' is a replica of stream '\(stream)': open the stream by its address to write"
    case .otherStream(let path, let stream):
      "'\(path)' cannot follow stream '\(stream)': it follows another, or has commits of its own"
    case .replication(let stream, let reason): "stream '\(stream)': \(reason)"
    case .full(let path): "no space left for \(named(path))"
    case .storage(let reason): "storage failed: \(reason)"
    case .interrupted: "interrupted"
    }
  }

  /// `: Dog#1, Dog#2`, at most twenty; empty without any.
  private func listed(_ objects: [String]) -> String {
    if objects.isEmpty { return "" }
    let rest = objects.count > 20 ? " and \(objects.count - 20) more" : ""
    return ": " + objects.prefix(20).joined(separator: ", ") + rest
  }

  /// A store by its file, or `the store in memory`.
  private func named(_ path: String) -> String {
    path.isEmpty ? "the store in memory" : "'\(path)'"
  }
}

extension HeraldError {
  /// Whether observers can no longer be kept up to date after this error.
  package var endsObservers: Bool {
    if case .damaged = self { return true }
    if case .storeReplaced = self { return true }
    if case .storeRemoved = self { return true }
    if case .lockReplaced = self { return true }
    if case .lockRemoved = self { return true }
    if case .logTrimmed = self { return true }
    return false
  }

  /// Whether it is of the query of one observer, which has received it, and nothing is wrong with the store.
  package var isOfOneQuery: Bool { if case .cannotContinue = self { true } else { false } }

  /// The text of an observer's last event: what happened to the store, without what to do about it.
  package var eventMessage: String {
    if case .storeReplaced = self { return "the store was replaced" }
    if case .storeRemoved = self { return "the store was removed" }
    if case .lockReplaced = self { return "the lock file of the store was replaced" }
    if case .lockRemoved = self { return "the lock file of the store was removed" }
    return message
  }
}
