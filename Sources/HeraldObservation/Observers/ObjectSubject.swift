import HeraldModel
import HeraldQuery

/// An observed object, with the changes that its observer has yet to receive.
final class ObjectSubject: Subject {
  let object: ObjectID
  let filter: ObjectFilter
  /// One for each key path.
  private(set) var watches: [PathWatch] = []
  /// The root steps of the key paths along which something changed since the last report.
  private var matches: Set<PropertyPath.Step.Kind> = []

  init(_ object: ObjectID, _ filter: ObjectFilter) {
    self.object = object
    self.filter = filter
  }

  var observedObject: ObjectID? { object }

  /// Changes along key paths are marked; without these `ObjectTokens` has the observer.
  func observes(_ property: PropertyID, isDifferent: Bool) -> Bool { false }

  var isSharing: Bool {
    switch filter {
    case .everything: false
    case .keyPaths(let paths, let isExclusive): !paths.isEmpty && !isExclusive
    }
  }

  func register(_ observer: Observer, _ interest: Interest) {
    if case .keyPaths(let paths, _) = filter { watches = Set(paths).map { interest.watch($0) } }
    interest.add(observer, to: object, watches)
  }

  /// Builds nothing: it has no rows.
  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? { 0 }

  func leave(_ observer: Observer, _ interest: Interest) {
    interest.remove(observer, from: object, watches)
  }

  func mark(_ path: PropertyPath) {
    if let step = path.steps.first?.kind { matches.insert(step) }
  }

  /// Also clears the matches.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    if case .everything = filter, let single = changes.single,
      case .value(let property, let number, let old) = single.kind, old.nestedCollection == nil
    {
      guard object == ObjectID(single.classID, number) else { return nil }
      return report(property, old: old, reader)
    }
    defer { matches = [] }
    let change = changes.change(of: object.classID)
    if change?.deleted[object.number] != nil { return .deleted }
    guard let schema = reader.schema.classSchema(object.classID) else { return nil }
    var reported: [DynamicPropertyChange] = []
    for property in schema.properties where isReported(property, change, reader.schema) {
      if let old = change?[property.id].values[object.number] {
        let new = reader.value(property.id, of: object)
        reported.append(
          DynamicPropertyChange(
            name: property.name, old: changes.record.whole(old, reader), new: new))
      } else {
        reported.append(DynamicPropertyChange(name: property.name, hasValues: false))
      }
    }
    if !matches.isEmpty { reported += undeclaredBacklinks(reader.schema) }
    return reported.isEmpty ? nil : .change(reported)
  }

  /// Returns the report that one value changed.
  private func report(
    _ property: PropertyID, old: Value, _ reader: any ObjectReader
  ) -> Report? {
    guard let schema = reader.schema.classSchema(object.classID)?.property(property) else {
      return nil
    }
    return .change([
      DynamicPropertyChange(name: schema.name, old: old, new: reader.value(property, of: object))
    ])
  }

  /// Whether a property belongs in the report. Backlinks are reported for key paths only.
  private func isReported(
    _ property: PropertySchema, _ change: ClassChange?, _ schema: Schema
  ) -> Bool {
    switch filter {
    case .keyPaths:
      if let origin = schema.origin(of: property.type) {
        return matches.contains(
          .backlinks(origin: origin.classID, property: origin.property.id))
      }
      return matches.contains(.property(property.id))
    case .everything:
      let (id, number) = (property.id, object.number)
      return switch property.type.shape {
      case .single: change?[id].values[number] != nil
      case .list: change?[id].lists[number]?.differs ?? false
      case .set: change?[id].sets[number] != nil
      case .map: change?[id].maps[number] != nil
      case .backlinks: false
      }
    }
  }

  /// The matched backlinks steps for which the class declares no property.
  private func undeclaredBacklinks(_ schema: Schema) -> [DynamicPropertyChange] {
    let named = Set(
      (schema.classSchema(object.classID)?.properties ?? []).compactMap { property in
        schema.origin(of: property.type).map { origin in
          PropertyPath.Step.Kind.backlinks(
            origin: origin.classID, property: origin.property.id)
        }
      })
    var names: [String] = []
    for match in matches where !named.contains(match) {
      guard case .backlinks(let origin, let property) = match,
        let origin = schema.classSchema(origin), let link = origin.property(property)
      else { continue }
      names.append("@links.\(origin.name).\(link.name)")
    }
    return names.sorted().map { DynamicPropertyChange(name: $0, hasValues: false) }
  }
}
