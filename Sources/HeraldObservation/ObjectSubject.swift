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
    for property in schema.properties where isTold(property, change) {
      switch property.type.shape {
      case .list:
        told.append(PropertyChange(name: property.name, isCollection: true))
      case .single:
        let new = reader.value(property.id, of: object)
        let old = change?.columns[property.id]?[object.number] ?? new
        told.append(PropertyChange(name: property.name, old: old, new: new))
      }
    }
    told += backlinks(reader.schema)
    return told.isEmpty ? nil : .change(told)
  }

  private func isTold(_ property: PropertySchema, _ change: ClassChange?) -> Bool {
    switch filter {
    case .keyPaths: matches.contains(.property(property.id))
    case .everything:
      switch property.type.shape {
      case .single: change?.columns[property.id]?[object.number] != nil
      case .list: change?.lists[property.id]?[object.number]?.differs ?? false
      }
    }
  }

  /// Only key paths ever name backlinks.
  private func backlinks(_ schema: Schema) -> [PropertyChange] {
    var names: [String] = []
    for case .backlinks(let origin, let property) in matches {
      guard let origin = schema.classSchema(origin), let link = origin.property(property)
      else { continue }
      names.append("@links.\(origin.name).\(link.name)")
    }
    return names.sorted().map { PropertyChange(name: $0, isCollection: true) }
  }
}
