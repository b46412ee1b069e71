import HeraldModel

// The changes of each kind of thing, for `for await`. Key paths and depths are those of its `observe`,
// and so are the errors, which are thrown before there is a sequence.

extension Store {
  /// A step for each commit, and nothing about it; commits that come while nobody awaits are one.
  public var changes: ObservedChanges<Store, StoreChange> {
    ObservedChanges(self) { try $0.observeItself($1) }
  }
}

extension Results {
  public func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> ObservedChanges<Results, CollectionChange> {
    _ = try rowFilter(keyPaths, depth)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  public var changes: ObservedChanges<Results, CollectionChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}

extension LiveCollection {
  public func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> ObservedChanges<LiveCollection, CollectionChange> {
    _ = try rowFilter(keyPaths, depth)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  public var changes: ObservedChanges<LiveCollection, CollectionChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}

extension NestedCollection {
  public func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> ObservedChanges<NestedCollection, CollectionChange> {
    _ = try rowFilter(keyPaths, depth)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  public var changes: ObservedChanges<NestedCollection, CollectionChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}

extension Object {
  public func changes(
    keyPaths: [String]? = nil, isExclusive: Bool = false
  ) throws -> ObservedChanges<Object, ObjectChange> {
    _ = try objectFilter(keyPaths, isExclusive: isExclusive)
    return ObservedChanges(self) {
      try $0.observe(keyPaths: keyPaths, isExclusive: isExclusive, $1)
    }
  }

  public var changes: ObservedChanges<Object, ObjectChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }

  /// What `observeProperty` tells of others' commits: once for each advance, from the value before to
  /// the one after. Ends when the object is deleted.
  public func propertyChanges(_ name: String) throws -> ObservedChanges<Object, PropertyEvent> {
    _ = try observableProperty(name)
    return ObservedChanges(self) { try $0.observeProperty(name, $1) }
  }
}

extension Projection {
  public func changes(
    keyPaths: [String]? = nil
  ) throws -> ObservedChanges<Projection, ObjectChange> {
    try check(keyPaths)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, $1) }
  }

  public var changes: ObservedChanges<Projection, ObjectChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}
