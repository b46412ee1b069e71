import HeraldEngine
public import HeraldModel

/// An object that is not in a store yet.
public final class NewObject {
  public let className: String
  /// The object that it became when it was added to a store.
  public internal(set) var added: Object? {
    didSet { addedLabel = added?.label }
  }
  /// What that object is called, also when it is gone.
  package private(set) var addedLabel: ObjectLabel?
  let store: Store
  /// What stands for it in the links of others that are in no store either: its number is negative.
  let placeholder: ObjectID
  private(set) var contents: [NamedContent] = []
  /// The objects in no store that it links to, or did, by what stands for them.
  private var linked: [ObjectID: NewObject] = [:]

  /// Checks names and types against the store's schema, and fills in defaults.
  public init(_ className: String, _ properties: [NamedContent], in store: Store) throws {
    self.className = className
    self.store = store
    let classSchema = try store.classSchema(className)
    try store.session.checkDeclared(classSchema)
    placeholder = Placeholders.next(of: classSchema.id)
    store.placeholders.note(self)
    for property in classSchema.properties {
      if let content = property.newContent { contents.append((property.name, content)) }
    }
    for (name, content) in properties { try set(name, to: content) }
  }

  /// A long chain goes link by link, not in as many calls inside each other.
  deinit {
    var going = Array(linked.values)
    linked = [:]
    while var object = going.popLast() {
      guard isKnownUniquelyReferenced(&object) else { continue }
      going += object.linked.values
      object.linked = [:]
    }
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
    let fitted = try store.session.fit(
      content, property, store.classSchema(className), allowingNew: true)
    try keep(fitted.newLinks)
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

  /// Holds on to the objects that links stand for.
  private func keep(_ links: [ObjectID]) throws {
    for link in links where linked[link] == nil {
      guard let object = store.placeholders[link] else { throw HeraldError.wrongSession }
      linked[link] = object
    }
  }

  /// The object in no store that a link in one of the properties stands for; nil for other links.
  public func linked(_ link: ObjectID) -> NewObject? { linked[link] ?? store.placeholders[link] }

  /// Lets go of what it links to, which would never go where it links in a circle. To be added again
  /// after a rollback, these must be alive.
  func release() { linked = [:] }

  func checked(_ name: String) throws -> PropertySchema {
    try store.session.checkedProperty(name, of: store.classSchema(className))
  }
}
