import HeraldEngine
package import HeraldModel

/// An object that is not in a store yet. It belongs to the session that it was created with.
package final class NewObject {
  /// The name of the object's class.
  package let className: String
  /// The object in the store; nil until it is added.
  package internal(set) var added: ObjectHandle? {
    didSet { addedLabel = added?.label }
  }
  /// The label of the stored object, also after its deletion.
  package private(set) var addedLabel: ObjectLabel?
  let store: DynamicStore
  /// The id, with a negative number, by which other new objects link to it.
  let placeholder: ObjectID
  private(set) var contents: [NamedContent] = []
  /// The new objects that it links to or has linked to, by placeholder.
  private var linked: [ObjectID: NewObject] = [:]

  /// Creates an object, validates names and types against the store's schema, and fills in defaults.
  /// Errors: `unknownClass`, `undeclaredClass`, `unknownProperty`, `wrongType`.
  package init(_ className: String, _ properties: [NamedContent], in store: DynamicStore) throws {
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

  /// Releases a chain of links iteratively, since recursion would overflow the stack.
  deinit {
    var pending = Array(linked.values)
    linked = [:]
    while var object = pending.popLast() {
      guard isKnownUniquelyReferenced(&object) else { continue }
      pending += object.linked.values
      object.linked = [:]
    }
  }

  /// Returns the content of a property; null or an empty collection where none was set. Errors:
  /// `unknownProperty`.
  package func content(_ property: String) throws -> PropertyContent {
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

  /// Observes the assignments of a property, also of an equal value, until the token is released. An
  /// object with observers cannot be added to a store. Errors: `unknownProperty`, `cannotObserve` for
  /// backlinks.
  package func observeProperty(
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

  /// Sets a property and notifies its observers. Errors: `unknownProperty`, `wrongType`, `wrongSession`
  /// for links to new objects of another session, and the first error of an observer's block.
  package func set(_ property: String, to content: PropertyContent) throws {
    let property = try checked(property)
    let (name, old) = (property.name, self.content(of: property))
    try put(content, into: property) {
      guard case .value(let old) = old, case .value(let new) = self.content(of: property) else {
        return .rows(name: name, kind: .setting, rows: [])
      }
      return .changed(name: name, old: old, new: new)
    }
  }

  /// Sets the content of a property and notifies its observers, in order of registration.
  func put(
    _ content: PropertyContent, into property: PropertySchema, notifying event: () -> PropertyEvent
  ) throws {
    defer { observers.removeAll { $0.token.token == nil } }
    let coerced = try store.session.coerce(
      content, property, store.classSchema(className), allowingNew: true)
    try keep(coerced.newLinks)
    if let index = contents.firstIndex(where: { $0.name == property.name }) {
      contents[index].content = coerced
    } else {
      contents.append((property.name, coerced))
    }
    for observer in observers where observer.name == property.name {
      guard let token = observer.token.token, token.isLive else { continue }
      try store.session.notifying { try token.detached?(event()) }
    }
  }

  /// Retains the new objects that links refer to.
  private func keep(_ links: [ObjectID]) throws {
    for link in links where linked[link] == nil {
      guard let object = store.placeholders[link] else { throw HeraldError.wrongSession }
      linked[link] = object
    }
  }

  /// Returns the new object that a link in one of the properties refers to; nil for links to stored
  /// objects.
  package func linked(_ link: ObjectID) -> NewObject? { linked[link] ?? store.placeholders[link] }

  /// Releases the new objects that it links to, to break reference cycles. For another `add` after a
  /// rollback, the program must hold them.
  func release() { linked = [:] }

  func checked(_ name: String) throws -> PropertySchema {
    try store.session.checkedProperty(name, of: store.classSchema(className))
  }
}
