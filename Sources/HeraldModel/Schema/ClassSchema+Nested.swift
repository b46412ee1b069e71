extension ClassSchema {
  private static let nestedLists = nested(.nestedLists, "nested lists", .list)
  private static let nestedMaps = nested(.nestedMaps, "nested maps", .map)

  /// Returns the hidden class of nested lists or of nested maps; nil for another number.
  package static func ofNested(_ id: ClassID) -> ClassSchema? {
    switch id {
    case .nestedLists: nestedLists
    case .nestedMaps: nestedMaps
    case _: nil
    }
  }

  private static func nested(_ id: ClassID, _ name: String, _ shape: PropertyShape) -> ClassSchema {
    let elements = PropertySchema(
      id: .elements, name: "elements", type: PropertyType(.any, shape: shape))
    return ClassSchema(id: id, name: name, properties: [elements])
  }
}
