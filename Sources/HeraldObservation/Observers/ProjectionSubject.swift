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
    let values = ShownValues(changes, reader)
    for field in fields where matches.contains(field.path.withWholeProperties) {
      switch values.difference(at: field.path, of: object.number) {
      case nil: continue
      case .value(let old, let new)?:
        reported.append(DynamicPropertyChange(name: field.name, old: old, new: new))
      case .contents?:
        reported.append(DynamicPropertyChange(name: field.name, hasValues: false))
      }
    }
    return reported.isEmpty ? nil : .change(reported)
  }
}

extension PropertyPath {
  /// Whether the path leads to a collection, or through one.
  func isCollection(_ schema: Schema) -> Bool { steps.contains { $0.isCollection(schema) } }
}
