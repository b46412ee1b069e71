import HeraldModel
import HeraldQuery

/// An observed projection of an object: told under the projection's names, in its order.
final class ProjectionSubject {
  let object: ObjectID
  /// Those that are told.
  private(set) var fields: [ProjectionField]
  /// One for each path of a field.
  let watches: [PathWatch]
  /// The paths on which something changed since the observer was last told.
  var matches: Set<PropertyPath> = []

  init(_ object: ObjectID, _ fields: [ProjectionField], _ watches: [PathWatch]) {
    self.object = object
    self.fields = fields
    self.watches = watches
  }

  /// Follows the backlinks of classes that were declared.
  func learn(_ schema: Schema) {
    for place in fields.indices {
      if let path = fields[place].path.learned(schema) { fields[place].path = path }
    }
  }

  /// Nil where there is nothing to tell: a value that is equal before and after is not. Forgets the
  /// matches.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    defer { matches = [] }
    if changes.change(of: object.classID)?.deleted[object.number] != nil { return .deleted }
    var told: [PropertyChange] = []
    for field in fields where matches.contains(field.path.withoutPlaces) {
      if field.path.isCollection(reader.schema) {
        if !isEqual(field.path, changes, reader) {
          told.append(PropertyChange(name: field.name, hasValues: false))
        }
        continue
      }
      let old = changes.record.formerValue(at: field.path, of: object.number, reader)
      let new = value(at: field.path, of: object.number, reader)
      if old != new { told.append(PropertyChange(name: field.name, old: old, new: new)) }
    }
    return told.isEmpty ? nil : .change(told)
  }

  /// Whether a collection at which something changed holds what it held before; false where that is not
  /// known.
  ///
  /// What one commit did to the collection itself made it another. The path may lead to another one
  /// with the same elements, though, and what one commit did a later one may have undone: only then the
  /// two are compared, in O(elements of both), at once where their counts differ.
  private func isEqual(
    _ path: PropertyPath, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    let record = changes.record
    if record.firstVersion == record.lastVersion && !isRetargeted(path, changes, reader) {
      return false
    }
    let former = FormerReader(reader, before: record)
    let old = ProjectedCollection(path, of: object, former)
    let new = ProjectedCollection(path, of: object, reader)
    return old.count == new.count && old.contents == new.contents && !former.hasGuessed
  }

  /// Whether something changed on the way to the last step.
  private func isRetargeted(
    _ path: PropertyPath, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard path.steps.count > 1 else { return false }
    let way = PropertyPath(root: path.root, steps: path.withoutPlaces.steps.dropLast())
    return PathWatch(way).roots(changes, reader).contains(object.number)
  }
}

extension PropertyPath {
  /// Whether the path leads to any number of values.
  func isCollection(_ schema: Schema) -> Bool { steps.contains { $0.isCollection(schema) } }
}
