import HeraldModel
import HeraldQuery

/// Finds the objects from which something along a path changed. Shared by all uses of the path: as a key
/// path, in a predicate or as a sort key.
final class PathWatch {
  @exclusivity(unchecked) private(set) var path: PropertyPath
  /// The number of registered uses; at 0 the watch is dropped.
  @exclusivity(unchecked) var uses = 0
  /// Observers of collections that any change along the path concerns.
  @exclusivity(unchecked) var observers = ObserverList()
  /// Groups of such observers of which each change concerns only some.
  @exclusivity(unchecked) var groups: [PredicateIndex] = []
  /// The stamp of the last changes that concerned the watch, so that they mark it once.
  @exclusivity(unchecked) var markedBy = -1
  /// Observers of objects at the root of the path.
  @exclusivity(unchecked) var objects = ObserversByObject()
  @exclusivity(unchecked) private var cache = ChangeCache<[ObjectNumber]>()
  /// The links that led to the changes in the cache; nil until they are read for the first time.
  @exclusivity(unchecked) private var trail: ChangeTrail?

  /// The property of a path without links; nil for others.
  @exclusivity(unchecked) private(set) var ownProperty: PropertyID?

  /// The class that the path begins at.
  let root: ClassID

  init(_ path: PropertyPath) {
    self.path = path
    root = path.root
    ownProperty = path.ownProperty
  }

  /// Returns the root objects, ascending, from which a step's property changed at an object in exactly
  /// that step: found backwards from the changed objects. O(changes + links that lead to roots).
  ///
  /// An object that left the path did so by a change nearer to the root, so links need to be followed in
  /// the new state only.
  func roots(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    if changes.single != nil, isDirect, let only = ownProperty {
      return changes.onlyObject(changing: only, of: path.root).map { [$0] } ?? []
    }
    return cache.value(for: changes) { findRoots(changes, reader) }
  }

  /// Whether the roots of a single change follow from the change itself, so that they are not kept.
  var isDirect: Bool { trail == nil && ownProperty != nil }

  /// Returns the links that lead to changes along the path, and records them from now on.
  func trail(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeTrail {
    if trail == nil {
      trail = ChangeTrail(along: path)
      cache = ChangeCache()
    }
    _ = roots(changes, reader)
    return trail ?? ChangeTrail(along: path)
  }

  func forget() { cache = ChangeCache() }

  /// Replaces the path by the same path under a changed schema.
  func learn(_ path: PropertyPath) {
    self.path = path
    ownProperty = path.ownProperty
    forget()
  }

  private func findRoots(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    if trail != nil { trail = ChangeTrail(along: path) }
    var reached: Set<ObjectID> = []
    for (index, step) in path.steps.enumerated().reversed() {
      var here: Set<ObjectID> = []
      for target in reached {
        step.forEachOrigin(of: target, reader) { object in
          trail?.noteLink(from: object, at: index, step.kind, to: target)
          here.insert(object)
        }
      }
      step.forEachChange(changes, reader) { object in
        trail?.noteChange(of: object, at: index)
        here.insert(object)
      }
      reached = here
    }
    return reached.map(\.number).sorted()
  }
}

extension PropertyPath {
  /// The only property of a path without links; nil for others.
  fileprivate var ownProperty: PropertyID? {
    guard steps.count == 1, case .property(let property) = steps[0].kind else { return nil }
    return property
  }
}

extension PropertyPath.Step {
  /// Calls `body` with the objects of the step's class whose step leads to `object`.
  fileprivate func forEachOrigin(
    of object: ObjectID, _ reader: any ObjectReader, _ body: (ObjectID) -> Void
  ) {
    switch kind {
    case .property(let property):
      reader.forEachOrigin(of: object, origin: classID, property: property) { number, _ in
        body(ObjectID(classID, number))
        return true
      }
    case .backlinks(let origin, let property):
      // Walking a backlinks step backwards follows the link forwards.
      guard let type = reader.schema.classSchema(origin)?.property(property)?.type else { return }
      reader.forEachLink(of: object, property, type.shape, body)
    }
  }

  /// Calls `body` with the objects of the step's class at which the step's property changed.
  fileprivate func forEachChange(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ body: (ObjectID) -> Void
  ) {
    switch kind {
    case .property(let property):
      changes.change(of: classID)?.forEachObject(changing: property) { number in
        body(ObjectID(classID, number))
      }
    case .backlinks(let origin, let property):
      // Merged commits also record transient links, whose targets may be deleted by now.
      for target in changes.record.backlinkChanges(through: origin, property, reader)
      where reader.exists(target) {
        body(target)
      }
    }
  }
}
