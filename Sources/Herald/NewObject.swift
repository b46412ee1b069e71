import HeraldEngine
public import HeraldModel

/// An object that is not in a store yet.
public final class NewObject {
  public let className: String
  /// The object that it became when it was added to a store.
  public internal(set) var added: Object?
  private let store: Store
  private(set) var contents: [NamedContent] = []

  /// Checks names and types against the store's schema, and fills in defaults.
  public init(_ className: String, _ properties: [NamedContent], in store: Store) throws {
    self.className = className
    self.store = store
    let classSchema = try store.classSchema(className)
    try store.session.checkDeclared(classSchema)
    for property in classSchema.properties {
      if let value = property.defaultValue { contents.append((property.name, .value(value))) }
    }
    for (name, content) in properties { try set(name, to: content) }
  }

  /// What a property holds: nil, or an empty list, where it was given nothing.
  public func content(_ property: String) throws -> PropertyContent {
    let property = try checked(property)
    if let content = contents.first(where: { $0.name == property.name }) { return content.content }
    return switch property.type.shape {
    case .single: .value(.null)
    case .list, .set, .backlinks: .list([])
    case .map: .map([:])
    }
  }

  public func set(_ property: String, to content: PropertyContent) throws {
    let classSchema = try store.classSchema(className)
    let property = try checked(property)
    let fitted = try store.session.fit(content, property, classSchema)
    if let place = contents.firstIndex(where: { $0.name == property.name }) {
      contents[place].content = fitted
    } else {
      contents.append((property.name, fitted))
    }
  }

  private func checked(_ name: String) throws -> PropertySchema {
    try store.session.checkedProperty(name, of: store.classSchema(className))
  }
}
