import HeraldModel

// `changes` of each kind that can be observed, for `for await`. Key paths, depth and errors are those of
// `observe`; errors are thrown before a sequence is returned.

extension DynamicStore {
  /// An element for each commit, without details. Commits during which nobody awaits are combined into
  /// one element.
  package var changes: ObservedChanges<DynamicStore, StoreChange> {
    ObservedChanges(self) { try $0.observeItself($1) }
  }
}

extension DynamicResults {
  /// Returns the changes of the rows. Parameters and errors are those of `observe`.
  package func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> ObservedChanges<DynamicResults, DynamicCollectionChange> {
    _ = try rowFilter(keyPaths, depth)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  /// The changes of the rows, from `initial` on.
  package var changes: ObservedChanges<DynamicResults, DynamicCollectionChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}

extension LiveCollection {
  /// Returns the changes of the elements. Parameters and errors are those of `observe`.
  package func changes(
    keyPaths: [String]? = nil, depth: Int? = nil
  ) throws -> ObservedChanges<LiveCollection, DynamicCollectionChange> {
    _ = try rowFilter(keyPaths, depth)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, depth: depth, $1) }
  }

  /// The changes of the elements, from `initial` on.
  package var changes: ObservedChanges<LiveCollection, DynamicCollectionChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}

extension ObjectHandle {
  /// Returns the changes of the object. Parameters and errors are those of `observe`.
  package func changes(
    keyPaths: [String]? = nil, isExclusive: Bool = false
  ) throws -> ObservedChanges<ObjectHandle, DynamicObjectChange> {
    _ = try objectFilter(keyPaths, isExclusive: isExclusive)
    return ObservedChanges(self) {
      try $0.observe(keyPaths: keyPaths, isExclusive: isExclusive, $1)
    }
  }

  /// The changes of the object's own properties, and its deletion.
  package var changes: ObservedChanges<ObjectHandle, DynamicObjectChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }

  /// Returns the changes of one property by the commits of other sessions: one for each advance, from the
  /// value before to the value after. Ends when the object is deleted. Errors: those of
  /// `observeProperty`.
  package func propertyChanges(_ name: String) throws -> ObservedChanges<
    ObjectHandle, PropertyEvent
  > {
    _ = try observableProperty(name)
    return ObservedChanges(self) { try $0.observeProperty(name, $1) }
  }
}

extension DynamicProjection {
  /// Returns the changes of the projection. Parameters and errors are those of `observe`.
  package func changes(
    keyPaths: [String]? = nil
  ) throws -> ObservedChanges<DynamicProjection, DynamicObjectChange> {
    try check(keyPaths)
    return ObservedChanges(self) { try $0.observe(keyPaths: keyPaths, $1) }
  }

  /// The changes of the fields, and the object's deletion.
  package var changes: ObservedChanges<DynamicProjection, DynamicObjectChange> {
    ObservedChanges(self) { try $0.observe($1) }
  }
}
