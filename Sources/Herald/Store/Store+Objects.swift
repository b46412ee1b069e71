import HeraldEngine
public import HeraldModel

/// What an object is called: its class and its primary key, or its number where the class has none.
public struct ObjectLabel: Hashable, Sendable {
  public var className: String
  public var key: Value

  public init(className: String, key: Value) {
    self.className = className
    self.key = key
  }
}

extension Store {
  /// Adds an object in the open write; properties that are not named get their defaults.
  ///
  /// Where the write is rolled back the object is invalid for good: its number is given to no other.
  ///
  /// Errors, before anything is changed: `notInWrite`, unknown class or property, wrong type,
  /// missing value, duplicate primary key.
  public func add(_ className: String, _ properties: [NamedContent]) throws -> Object {
    Object(store: self, id: try session.add(classSchema(className), properties))
  }

  /// Adds an embedded object in the open write, for its owner to be given it next.
  public func addPart(_ className: String, _ properties: [NamedContent]) throws -> Object {
    Object(store: self, id: try session.add(classSchema(className), properties, asPart: true))
  }

  /// Changes what differs of the object with the same primary key, or adds one.
  public func upsert(_ className: String, _ properties: [NamedContent]) throws -> Object {
    Object(store: self, id: try session.upsert(classSchema(className), properties))
  }

  /// Whether objects of a class could be given these properties in the open write, of which
  /// nothing is changed.
  ///
  /// Errors: `notInWrite`, unknown class or property, wrong type, missing value.
  public func check(_ className: String, _ properties: [NamedContent]) throws {
    try session.check(properties, classSchema(className))
  }

  /// Deletes an object: links to it become nil, and it leaves every list and set, those of values of
  /// any type and inside of them too; in a map the value of its key becomes nil.
  public func delete(_ object: Object) throws {
    try session.delete(own(object))
  }

  /// Deletes every object of a collection. Where the store's interruption stops it, the write is
  /// left with those that were deleted by then.
  public func delete(_ results: Results) throws {
    try checkOwn(results.store)
    try session.delete(Set(try results.ids()).sorted()) {
      if session.interruption?.isRequested ?? false { throw HeraldError.interrupted }
    }
  }

  /// Deletes objects one after another, leaving out those that went with others before them. Who
  /// observes a collection property that linked to them is told once of all.
  ///
  /// - Parameter check: called before each; what it throws stops the deleting.
  public func delete(_ objects: [Object], check: () throws -> Void) throws {
    try session.delete(objects.map(own), check)
  }

  /// The object with this primary key, or this number where the class has no key; nil where there
  /// is none.
  public func object(_ className: String, key: Value) throws -> Object? {
    try session.checkOpen()
    return try session.find(classSchema(className), key: key).map { Object(store: self, id: $0) }
  }

  /// Nil where the object does not exist at the session's version.
  public func object(_ id: ObjectID) -> Object? {
    session.exists(id) ? Object(store: self, id: id) : nil
  }

  /// Class name and key of an object, also of one that was deleted in what is being delivered or in the
  /// last commit.
  public func label(of id: ObjectID) -> ObjectLabel {
    ObjectLabel(
      className: schema.classSchema(id.classID)?.name ?? "", key: session.key(of: id))
  }

  /// What is changed must belong to this session.
  private func checkOwn(_ store: Store) throws(HeraldError) {
    guard store === self else { throw store.isFrozen ? .frozen : .wrongSession }
  }

  func own(_ object: Object) throws(HeraldError) -> ObjectID {
    try checkOwn(object.store)
    try object.checkAdded()
    return object.id
  }
}
