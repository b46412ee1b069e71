import HeraldModel
import HeraldQuery

/// An observed projection of an object, reported under the projection's names and in its order.
final class ProjectionSubject: Subject {
  let object: ObjectID
  /// The observed fields.
  private(set) var fields: [ProjectionField]
  /// One for each path of a field.
  private(set) var watches: [PathWatch] = []
  /// The paths on which something changed since the last report.
  private var matches: Set<PropertyPath> = []

  init(_ object: ObjectID, _ fields: [ProjectionField]) {
    self.object = object
    self.fields = fields
  }

  func register(_ observer: Observer, _ interest: Interest) {
    watches = Set(fields.map(\.path.withWholeProperties)).map { interest.watch($0) }
    interest.add(observer, to: object, watches)
  }

  /// Builds nothing: it has no rows.
  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? { 0 }

  func leave(_ observer: Observer, _ interest: Interest) {
    interest.remove(observer, from: object, watches)
  }

  /// Resolves backlinks steps of classes that the schema declares now.
  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    for index in fields.indices {
      if let path = fields[index].path.learned(schema) { fields[index].path = path }
    }
  }

  func mark(_ path: PropertyPath) { matches.insert(path) }

  /// Reports the fields whose values differ, and clears the matches.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    defer { matches = [] }
    if changes.change(of: object.classID)?.deleted[object.number] != nil { return .deleted }
    var reported: [DynamicPropertyChange] = []
    for field in fields where matches.contains(field.path.withWholeProperties) {
      if field.path.isCollection(reader.schema) {
        if !isEqual(field.path, changes, reader) {
          reported.append(DynamicPropertyChange(name: field.name, hasValues: false))
        }
        continue
      }
      let old = changes.record.previousValue(at: field.path, of: object.number, reader)
      let new = value(at: field.path, of: object.number, reader)
      if old != new { reported.append(DynamicPropertyChange(name: field.name, old: old, new: new)) }
    }
    return reported.isEmpty ? nil : .change(reported)
  }

  /// Whether a changed collection has the same contents as before; false where the previous contents are
  /// unknown.
  ///
  /// A single commit that changed the collection itself always left it different. The contents are
  /// compared only where the path leads to another collection or several commits are merged, in
  /// O(elements of both), or O(1) where the counts differ.
  private func isEqual(
    _ path: PropertyPath, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    let record = changes.record
    if record.firstVersion == record.lastVersion && !isRetargeted(path, changes, reader) {
      return false
    }
    let before = PreviousReader(reader, before: record)
    let old = ProjectedContents(path, of: object, before)
    let new = ProjectedContents(path, of: object, reader)
    return old.count == new.count && old.contents == new.contents && !before.hasReadUnknownValue
  }

  /// Whether something changed on the path before the last step.
  private func isRetargeted(
    _ path: PropertyPath, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard path.steps.count > 1 else { return false }
    let parent = PropertyPath(root: path.root, steps: path.withWholeProperties.steps.dropLast())
    return PathWatch(parent).roots(changes, reader).contains(object.number)
  }
}

extension PropertyPath {
  /// Whether the path leads to a collection, or through one.
  func isCollection(_ schema: Schema) -> Bool { steps.contains { $0.isCollection(schema) } }
}
