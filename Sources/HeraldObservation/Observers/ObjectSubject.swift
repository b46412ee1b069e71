import HeraldModel
import HeraldQuery

/// An observed object, and which of its changes its observer is owed.
final class ObjectSubject {
  let object: ObjectID
  let filter: ObjectFilter
  /// One for each key path.
  let watches: [PathWatch]
  /// The root steps of the key paths that matched since the observer was last told.
  var matches: Set<PropertyPath.Step.Kind> = []

  init(_ object: ObjectID, _ filter: ObjectFilter, _ watches: [PathWatch]) {
    self.object = object
    self.filter = filter
    self.watches = watches
  }

  /// Whether it hears what other observers of the object with key paths hear, and they what it does.
  var isSharing: Bool {
    switch filter {
    case .everything: false
    case .keyPaths(let paths, let isExclusive): !paths.isEmpty && !isExclusive
    }
  }

  /// Nil where there is nothing to tell. Forgets the matches.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    defer { matches = [] }
    let change = changes.change(of: object.classID)
    if change?.deleted[object.number] != nil { return .deleted }
    guard let schema = reader.schema.classSchema(object.classID) else { return nil }
    var told: [PropertyChange] = []
    for property in schema.properties where isTold(property, change, reader.schema) {
      if let old = change?.columns[property.id]?[object.number] {
        let new = reader.value(property.id, of: object)
        told.append(PropertyChange(name: property.name, old: old, new: new))
      } else {
        told.append(PropertyChange(name: property.name, hasValues: false))
      }
    }
    told += namelessBacklinks(reader.schema)
    return told.isEmpty ? nil : .change(told)
  }

  /// Only key paths ever name backlinks.
  private func isTold(
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
      case .single: change?.columns[id]?[number] != nil
      case .list: change?.lists[id]?[number]?.differs ?? false
      case .set: change?.sets[id]?[number] != nil
      case .map: change?.maps[id]?[number] != nil
      case .backlinks: false
      }
    }
  }

  /// Steps backwards for which the class has no property.
  private func namelessBacklinks(_ schema: Schema) -> [PropertyChange] {
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
    return names.sorted().map { PropertyChange(name: $0, hasValues: false) }
  }
}
