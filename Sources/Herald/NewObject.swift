import HeraldEngine
public import HeraldModel

/// An object that is not in a store yet.
public final class NewObject {
  public let className: String
  /// The object that it became when it was added to a store.
  public internal(set) var added: Object?
  let store: Store
  private(set) var contents: [NamedContent] = []
  /// Objects in no store that properties hold, by the property's name.
  var held: [String: NewParts] = [:]

  /// Checks names and types against the store's schema, and fills in defaults.
  public init(_ className: String, _ properties: [NamedContent], in store: Store) throws {
    self.className = className
    self.store = store
    let classSchema = try store.classSchema(className)
    try store.session.checkDeclared(classSchema)
    for property in classSchema.properties {
      if let content = property.defaultContent { contents.append((property.name, content)) }
    }
    for (name, content) in properties { try set(name, to: content) }
  }

  /// What a property holds: nil, or an empty list, where it was given nothing.
  public func content(_ property: String) throws -> PropertyContent {
    content(of: try checked(property))
  }

  func content(of property: PropertySchema) -> PropertyContent {
    if let content = contents.first(where: { $0.name == property.name }) { return content.content }
    return switch property.type.shape {
    case .single: .value(.null)
    case .list, .set, .backlinks: .list([])
    case .map: .map([:])
    }
  }

  private var observers: [(name: String, token: WeakToken)] = []

  private struct WeakToken { weak var token: ObservationToken? }

  /// Observes a property as it is assigned, also with an equal value, until the token goes. An object
  /// with observers cannot be added to a store.
  public func observeProperty(
    _ name: String, _ block: @escaping (PropertyEvent) throws -> Void
  ) throws -> ObservationToken {
    let property = try checked(name)
    guard !property.type.isBacklinks else {
      throw HeraldError.cannotObserve("the backlinks property '\(name)'")
    }
    let token = ObservationToken(of: self, block)
    observers.append((name, WeakToken(token: token)))
    return token
  }

  var isObserved: Bool { observers.contains { $0.token.token?.isLive == true } }

  public func set(_ property: String, to content: PropertyContent) throws {
    let property = try checked(property)
    let (name, old) = (property.name, self.content(of: property))
    try put(content, into: property) {
      guard case .value(let old) = old, case .value(let new) = self.content(of: property) else {
        return .rows(name: name, kind: .setting, rows: [])
      }
      return .changed(name: name, old: old, new: new)
    }
  }

  /// Gives a property its content and tells its observers, in the order in which they came.
  func put(
    _ content: PropertyContent, into property: PropertySchema, telling event: () -> PropertyEvent
  ) throws {
    defer { observers.removeAll { $0.token.token == nil } }
    let fitted = try store.session.fit(content, property, store.classSchema(className))
    held[property.name] = nil
    if let place = contents.firstIndex(where: { $0.name == property.name }) {
      contents[place].content = fitted
    } else {
      contents.append((property.name, fitted))
    }
    for observer in observers where observer.name == property.name {
      guard let token = observer.token.token, token.isLive else { continue }
      try store.session.telling { try token.detached?(event()) }
    }
  }

  /// Makes a property one that was given nothing.
  func forget(_ property: String) { contents.removeAll { $0.name == property } }

  func checked(_ name: String) throws -> PropertySchema {
    try store.session.checkedProperty(name, of: store.classSchema(className))
  }
}
