import HeraldModel
import Synchronization

/// The properties of a class of objects: their names, types, defaults and places.
///
/// Found once for each class, by reflection; a class, or code that is generated for
/// it, may make its own by overriding `makeObjectTable`.
public final class ObjectTable: @unchecked Sendable {
  /// One `@Persisted` property.
  public final class Property {
    /// The name of the property in stores.
    public let name: String
    /// The name of the property in the program, which mostly is the same.
    public let label: String
    /// The type of its values.
    public let type: any Persistable.Type
    /// The offset of its wrapper in an instance, in words.
    public let slot: Int
    /// Whether no two objects of the class have the same value.
    public let isPrimaryKey: Bool
    /// Whether the property has an index.
    public let isIndexed: Bool
    /// Of `LinkingObjects` the property that links here.
    public let originProperty: String?
    package let definition: ClassDefinition.Property
    let objectType: ObjectBase.Type?
    let local: LocalProperty
    /// Whether its values are embedded objects.
    let hasParts: Bool

    init(
      definition: ClassDefinition.Property, type: any Persistable.Type, slot: Int,
      originProperty: String?, objectType: ObjectBase.Type?, local: LocalProperty,
      hasParts: Bool? = nil, label: String? = nil
    ) {
      name = definition.name
      self.label = label ?? definition.name
      self.type = type
      self.slot = slot
      isPrimaryKey = definition.isPrimaryKey
      isIndexed = definition.isIndexed
      self.originProperty = originProperty
      self.definition = definition
      self.objectType = objectType
      self.local = local
      self.hasParts = hasParts ?? (objectType is EmbeddedObject.Type)
    }
  }

  let objectType: ObjectBase.Type
  package let className: String
  /// Of a class that the program knows by its name alone: what it is in the store.
  let named: NamedClass?
  package let properties: [Property]
  let slotCount: Int
  let primaryKey: Property?
  let hasCollections: Bool
  /// Whether a property can link to objects, or have them as elements.
  let mayLink: Bool
  /// The properties of which each instance of a managed object must be prepared: those without a wrapper; of a class that
  /// is `Encodable` all, which are encoded by their wrappers.
  private let prepared: [Property]
  /// Whether there are any.
  let needsPreparing: Bool
  /// Whether a property has another name in the program than in stores.
  let hasOtherNames: Bool
  private let positions: [Int?]
  /// The properties that objects have contents for; they are retained by `properties`.
  private let contents: [(name: String, local: Unmanaged<LocalProperty>)]
  /// The single-valued properties that can link to objects; they are retained by `properties`.
  private let links: [Unmanaged<LocalProperty>]

  init(_ objectType: ObjectBase.Type, _ properties: [Property], named: NamedClass? = nil) {
    self.objectType = objectType
    self.named = named
    className = named?.classSchema.name ?? objectType.className
    self.properties = properties
    slotCount = (properties.map(\.slot).max() ?? 0) + 1
    var positions = [Int?](repeating: nil, count: slotCount)
    for (index, property) in properties.enumerated() { positions[property.slot] = index }
    self.positions = positions
    contents = properties.filter { $0.originProperty == nil }.map {
      ($0.name, Unmanaged.passUnretained($0.local))
    }
    links = properties.filter { $0.mayLink && $0.definition.shape == .single }.map {
      Unmanaged.passUnretained($0.local)
    }
    mayLink = properties.contains(where: \.mayLink)
    let isEncoded = named == nil && objectType is any Encodable.Type
    prepared = properties.filter { isEncoded || $0.local.isPlain }
    needsPreparing = !prepared.isEmpty
    hasOtherNames = properties.contains { $0.label != $0.name }
    primaryKey = properties.first(where: \.isPrimaryKey)
    hasCollections = properties.contains { $0.definition.shape != .single }
  }

  /// Appends the contents of an unmanaged object, until one links to objects that are not added yet.
  func appendContents(
    of object: ObjectBase, to list: inout [NamedContent], _ links: LinkEncoder
  ) throws {
    for (name, local) in contents {
      if let content = try local._withUnsafeGuaranteedRef({ try $0.content(object, links) }) {
        list.append((name, content))
      }
      guard links.adding?.pending.isEmpty ?? true else { return }
    }
  }

  /// Releases the objects that an instance linked to before it was added: from then on the store has the links.
  func releaseLinks(of object: ObjectBase) {
    for link in links { link._withUnsafeGuaranteedRef { $0.release(object) } }
  }

  /// Prepares an instance that has become a managed object's.
  @inline(never)
  func prepare(_ object: ObjectBase, _ binding: ClassBinding) {
    for property in prepared {
      property.local.prepare(object, ManagedProperty(binding, property.slot, object._number))
    }
  }

  func property(atSlot slot: Int) -> Property? {
    slot < slotCount ? positions[slot].map { properties[$0] } : nil
  }

  /// The property with a name of the program's, or else of the store's.
  package func property(named name: String) -> Property? {
    properties.first { $0.label == name } ?? properties.first { $0.name == name }
  }

  /// The names in the program of the properties of classes, by the names of class and property in the store; of those
  /// classes alone that have others.
  static func labels(of types: [String: ObjectBase.Type]) -> [String: [String: String]] {
    types.compactMapValues { type in
      guard let table = try? ObjectTable.of(type), table.hasOtherNames else { return nil }
      return Dictionary(table.properties.map { ($0.name, $0.label) }) { first, _ in first }
    }
  }

  /// The declaration of the class.
  var definition: ClassDefinition {
    ClassDefinition(
      name: className, isEmbedded: objectType is EmbeddedObject.Type,
      properties: properties.map(\.definition))
  }

  /// The classes that its properties link to.
  package var linkedTypes: [ObjectBase.Type] { properties.compactMap(\.objectType) }
}

extension ObjectTable {
  /// The name of an object's class in stores.
  package static func className(of object: ObjectBase) -> String { object.nameOfClass }

  private static let tables = Mutex<[ObjectIdentifier: ObjectTable]>([:])

  /// Returns the table of a class, which is made at its first use. Errors: `SchemaError`.
  package static func of(_ type: ObjectBase.Type) throws -> ObjectTable {
    let key = ObjectIdentifier(type)
    if let table = tables.withLock({ $0[key] }) { return table }
    let table = try type.makeObjectTable()
    tables.withLock { $0[key] = table }
    return table
  }
}

extension ObjectTable {
  /// Returns the properties on a dotted path from a class. Errors: `unknownProperty`, `notALink`, `SchemaError`.
  static func properties(at path: String, from root: ObjectBase.Type) throws -> [Property] {
    var owner: ObjectBase.Type? = root
    var properties: [Property] = []
    for step in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let type = owner else {
        throw HeraldError.notALink(
          property: properties.last?.name ?? "", className: root.className)
      }
      let table = try ObjectTable.of(type)
      let property = try table.required(String(step))
      properties.append(property)
      owner = property.objectType
    }
    return properties
  }
}

extension ObjectTable.Property {
  /// Whether a value can link to objects.
  var mayLink: Bool {
    switch definition.element {
    case .link, .any: originProperty == nil
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: false
    }
  }

  /// The value of a managed or an unmanaged object.
  func value(of object: ObjectBase) -> Any {
    guard let binding = object._binding else { return local.value(object) }
    return ManagedProperty(binding, slot, object._number).anyValue(type)
  }

  func describe(_ object: ObjectBase) -> String {
    if let binding = object._binding {
      return ManagedProperty(binding, slot, object._number).text(type)
    }
    return local.value(object)._text
  }
}

/// A property of unmanaged instances of a class.
class LocalProperty {
  /// The value, which its first read makes.
  func value(_ object: ObjectBase) -> any Persistable { fatalError("abstract") }
  /// The value as a store takes it; nil where the store gives its default.
  func content(_ object: ObjectBase, _ links: LinkEncoder) throws -> PropertyContent? {
    fatalError("abstract")
  }
  func set(_ object: ObjectBase, _ value: any Persistable) {}
  /// Forgets the value, in whose place the next read makes the first one again.
  func release(_ object: ObjectBase) {}
  /// Whether it is one without a wrapper, whose value an instance keeps for good.
  var isPlain: Bool { false }
  /// Has an instance that has become a managed object's read the store where no accessor does.
  func prepare(_ object: ObjectBase, _ property: ManagedProperty) {}
}

/// A property by the type of its wrapper.
final class WrappedProperty<Wrapper: PersistedWrapper>: LocalProperty {
  private let offset: Int

  /// - Parameter offset: That of the wrapper in an instance, in bytes.
  init(at offset: Int) { self.offset = offset }

  @inline(__always)
  private func place(_ object: ObjectBase) -> UnsafeMutablePointer<Wrapper> {
    Unmanaged.passUnretained(object).toOpaque().advanced(by: offset)
      .assumingMemoryBound(to: Wrapper.self)
  }

  override func value(_ object: ObjectBase) -> any Persistable {
    place(object).pointee.anyLocalValue()
  }

  override func content(_ object: ObjectBase, _ links: LinkEncoder) throws -> PropertyContent? {
    try place(object).pointee.localContent(links)
  }

  override func set(_ object: ObjectBase, _ value: any Persistable) {
    place(object).pointee.setLocal(value)
  }

  override func release(_ object: ObjectBase) { place(object).pointee.releaseLocal() }

  override func prepare(_ object: ObjectBase, _ property: ManagedProperty) {
    place(object).pointee.readManaged(property)
  }
}
