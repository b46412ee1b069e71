import HeraldModel

/// The objects of a class whose property links to an object: kept by the store, and read-only. An object is in it
/// as often as it links, in order of creation.
///
///     class Dog: Object {
///       @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///
/// Of an unmanaged object it is empty.
public struct LinkingObjects<Element: ObjectBase> {
  let originProperty: String
  private let property: ManagedProperty?
  /// What a key path reads.
  private var probe: Element?
  public let _delivered: DeliveredChanges?

  init(
    originProperty: String, _ property: ManagedProperty? = nil,
    _ delivered: DeliveredChanges? = nil
  ) {
    self.originProperty = originProperty
    self.property = property
    _delivered = delivered
  }
}

/// What reflection asks of `LinkingObjects`, whatever its class.
protocol BacklinksProperty {
  var originProperty: String { get }
}

extension LinkingObjects: BacklinksProperty {}

extension Persisted {
  /// The objects whose property `originProperty` links to this one.
  public init<Origin: ObjectBase>(originProperty: String) where Value == LinkingObjects<Origin> {
    self.init(LinkingObjects(originProperty: originProperty), [])
  }
}

extension LinkingObjects: StoredCollection {
  public var _base: CollectionBase {
    CollectionBase(property.map { .property($0) } ?? .local)
  }

  public static func _delivered(
    _ base: CollectionBase, _ changes: DeliveredChanges?
  ) -> LinkingObjects<Element>? {
    guard case .property(let property) = base.kind else { return nil }
    return LinkingObjects(originProperty: "", property, changes)
  }

  /// The number of links. O(n).
  public var count: Int { property?.readCount ?? (probe == nil ? 0 : 1) }

  /// Whether no object links here. O(n).
  public var isEmpty: Bool { property?.readIsEmpty ?? (probe == nil) }

  /// The first object; nil without one. O(n).
  public var first: Element? {
    property.map { property in property.readFirst.map { property.decode($0) } } ?? probe
  }

  /// The last object; nil without one. O(n).
  public var last: Element? {
    property.map { property in property.readLast.map { property.decode($0) } } ?? probe
  }

  /// The object at an index. O(n).
  public subscript(index: Int) -> Element {
    if let probe { return probe }
    guard let property else {
      stopIndex(index, "a LinkingObjects of an unmanaged object", 0)
    }
    return property.decode(property.readElement(at: index))
  }

  /// Iterates over the objects that link here at this moment. O(n).
  public func makeIterator() -> AnyIterator<Element> {
    guard let property else { return AnyIterator { nil } }
    var values = property.readElements.makeIterator()
    return AnyIterator { values.next().map { property.decode($0) } }
  }
}

extension LinkingObjects: CustomStringConvertible {
  /// The objects in brackets.
  public var description: String {
    "LinkingObjects<\(Element.self)> [" + map(\._text).joined(separator: ", ") + "]"
  }
}

extension LinkingObjects: Persistable {
  public typealias PersistedType = LinkingObjects<Element>

  public static var _type: PersistedProperty {
    PersistedProperty(Element._element, shape: .backlinks(""))
  }
  public static func _initial() -> LinkingObjects<Element> { LinkingObjects(originProperty: "") }

  public static func _probe(_ trace: KeyPathTrace) -> LinkingObjects<Element>? {
    var objects = LinkingObjects(originProperty: "")
    objects.probe = trace.instance(of: Element.self)
    return objects
  }

  public static func _read(_ reference: PropertyReference) -> LinkingObjects<Element> {
    LinkingObjects(originProperty: "", reference.property)
  }

  public static func _write(_ value: LinkingObjects<Element>, to reference: PropertyReference) {
    stopProgram("\(reference.property.place) is kept by the store; change the links instead")
  }

  public func _content(_ links: LinkEncoder) throws -> PropertyContent { .list([]) }
  public var _text: String { "LinkingObjects<\(Element.self)> of \(count)" }
}
