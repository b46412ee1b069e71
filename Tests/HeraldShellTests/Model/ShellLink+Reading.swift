import Foundation
import Herald

@testable import TestModel

/// What the shell prints, as values of the model.
extension ShellLink {
  static func result(_ json: [String: Any]) -> [[String: Any]] {
    json["result"] as? [[String: Any]] ?? []
  }

  func objects(_ query: String) throws -> [[String: Any]] {
    try level.run("\(prefix)show \(query)").flatMap(Self.result)
  }

  func rows(_ query: String) throws -> ModelReply {
    let count = try level.run("\(prefix)count \(query)").first?["result"] as? Int ?? -1
    let keyed = try keyed
    return .rows(try objects(query).map { try level.object($0, keyed) }, count: count)
  }

  func reading(_ json: [String: Any]) throws -> ModelReading {
    let keyed = try keyed
    let id = try level.object(json, keyed)
    let contents = json["properties"] as? [String: Any] ?? [:]
    let properties = level.schema.place(of: id.classID).map { level.schema.classes[$0].properties }
    return ModelReading(
      id: id,
      contents: try (properties ?? []).map { property in
        let content = contents[property.name] ?? NSNull()
        if !property.isCollection { return .value(try level.value(content, property, keyed)) }
        let rows = try level.rows(content, property, keyed)
        return .rows(rows.values, keys: rows.keys)
      })
  }

  /// The rows of what a token observes, at this moment.
  func rows(_ observation: ModelObservation) throws -> ModelRows {
    let keyed = try keyed
    switch observation {
    case .results, .collectionResults:
      return ModelRows(try objects(text(observation)).map { .link(try level.object($0, keyed)) })
    case .collection(let id, let name):
      guard let object = try? objects(level.name(id)).first,
        let property = property(name, of: observation)
      else { return ModelRows([]) }
      return try level.rows((object["properties"] as? [String: Any])?[name], property, keyed)
    case .store, .object, .projection, .property, .inside, .end: return ModelRows([])
    }
  }

  func isMap(_ observation: ModelObservation) -> Bool {
    guard case .collection(_, let name) = observation else { return false }
    return property(name, of: observation)?.shape == .map
  }

  func owner(_ observation: ModelObservation) -> ObjectID? {
    switch observation {
    case .object(let id, _), .projection(let id, _), .property(let id, _), .collection(let id, _),
      .collectionResults(let id, _, _), .inside(let id, _, _), .end(let id, _):
      id
    case .store, .results: nil
    }
  }

  /// A property of the object that is observed, or what a projection shows.
  func property(
    _ name: String, of observation: ModelObservation
  ) -> ModelSchema.Property? {
    guard let owner = owner(observation), let type = level.schema.place(of: owner.classID) else {
      return nil
    }
    if case .projection(_, let projection) = observation {
      let field = level.schema.projections.first { $0.name == projection }?.fields
        .first { $0.name == name }
      return field.map { level.schema.property(at: $0.path, from: type) }
    }
    return level.schema.classes[type].properties.first { $0.name == name }
  }
}
