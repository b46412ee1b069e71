import HeraldModel
import HeraldQuery

/// Finds the objects from which something along a path changed: shared by all who care for the
/// path, be it as a key path, as part of a predicate or as a sort key.
final class PathWatch {
  private(set) var path: PropertyPath
  /// How many uses are registered; at 0 the watch is dropped.
  var uses = 0
  /// Collections that are concerned when any property of the path changes.
  var observers = ObserverList()
  /// Likewise, of which only some are concerned.
  var groups: [FilterGroup] = []
  /// The record that it was found concerned by last.
  var markedBy = -1
  /// Observed objects at the root of the path.
  var objects: [ObjectNumber: [Observer]] = [:]
  private var answer = Answer<[ObjectNumber]>()

  init(_ path: PropertyPath) { self.path = path }

  /// The root objects, ascending, with a change of a step's property at an object at that exact
  /// place: found backwards from the changed objects. O(changes and the links that lead to roots).
  ///
  /// What was on the path before and is no longer, left it by a change nearer to the root, so that
  /// links need to be followed in the new state only.
  func roots(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    answer.value(for: changes) { findRoots(changes, reader) }
  }

  func forget() { answer = Answer() }

  /// The same path, as the schema has it now.
  func learn(_ path: PropertyPath) {
    self.path = path
    forget()
  }

  private func findRoots(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    var reached: Set<ObjectID> = []
    for step in path.steps.reversed() {
      var here: Set<ObjectID> = []
      for object in reached { step.forEachOrigin(of: object, reader) { here.insert($0) } }
      step.forEachChange(changes, reader) { here.insert($0) }
      reached = here
    }
    return reached.map(\.number).sorted()
  }
}

extension PropertyPath.Step {
  /// The objects of the step's class whose step leads to `object`.
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
      // Backwards along backlinks is forwards along the link.
      guard let type = reader.schema.classSchema(origin)?.property(property)?.type else { return }
      reader.forEachLink(of: object, property, type.shape, body)
    }
  }

  /// The objects of the step's class at which the step's property changed.
  fileprivate func forEachChange(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ body: (ObjectID) -> Void
  ) {
    switch kind {
    case .property(let property):
      changes.change(of: classID)?.forEachObject(changing: property) { number in
        body(ObjectID(classID, number))
      }
    case .backlinks(let origin, let property):
      // Of several commits as one, also what came and went between them was linked to.
      for target in changes.record.backlinkChanges(through: origin, property, reader)
      where reader.exists(target) {
        body(target)
      }
    }
  }
}

extension ClassChange {
  /// The objects that existed before and whose value of a property differs.
  func forEachObject(changing property: PropertyID, _ body: (ObjectNumber) -> Void) {
    if let values = columns[property] {
      for number in values.keys { body(number) }
    }
    if let changes = lists[property] {
      for (number, change) in changes where change.differs { body(number) }
    }
    if let changes = sets[property] {
      for number in changes.keys { body(number) }
    }
    if let changes = maps[property] {
      for number in changes.keys { body(number) }
    }
  }

  /// Whether no object that existed before differs.
  var modifiesNothing: Bool {
    columns.isEmpty && lists.isEmpty && sets.isEmpty && maps.isEmpty
  }

  /// The objects that existed before and of which any property differs; some more than once.
  func forEachModified(_ body: (ObjectNumber) -> Void) {
    for values in columns.values {
      for number in values.keys { body(number) }
    }
    for changes in lists.values {
      for (number, change) in changes where change.differs { body(number) }
    }
    for changes in sets.values {
      for number in changes.keys { body(number) }
    }
    for changes in maps.values {
      for number in changes.keys { body(number) }
    }
  }
}
