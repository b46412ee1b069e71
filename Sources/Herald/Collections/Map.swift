import HeraldEngine
import HeraldModel

/// Values or links to objects by keys: a property of an object. Entries are in the order of their keys.
///
///     class Person: Object { @Persisted var scores: Map<String, Int> }
///     try store.write { person.scores["go"] = 3 }
///
/// Edits need an open transaction, like those of `List`. Finding a key takes O(log n).
public final class Map<Key: PersistableKey, Value: PersistableElement> {
  private enum Storage {
    case local([Key: Value])
    case managed(ManagedProperty)
  }

  private var storage: Storage
  let delivered: DeliveredChanges?

  /// An empty map of no object.
  public init() {
    storage = .local([:])
    delivered = nil
  }

  init(_ property: ManagedProperty, _ delivered: DeliveredChanges? = nil) {
    storage = .managed(property)
    self.delivered = delivered
  }
}

/// The type of a map's keys: `String`.
public protocol PersistableKey: Hashable, SendableMetatype {
  init(_text: String)
  var _text: String { get }
}

extension String: PersistableKey {
  public init(_text: String) { self = _text }
}

extension Map {
  var property: ManagedProperty? {
    if case .managed(let property) = storage { property } else { nil }
  }

  /// The store of the map; nil for that of an unmanaged object.
  public var store: Store? { property?.core.facade }

  /// Whether both are the same map: of one object in one session, or of no object and the same instance.
  package func isSame(as other: Map) -> Bool {
    guard let property, let theirs = other.property else { return self === other }
    return property.isSame(as: theirs)
  }

  /// Whether the object of the map was deleted.
  public var isInvalidated: Bool {
    property?.isOfDeletedObject ?? false
  }

  /// Whether the map is immutable, at one version of its store.
  public var isFrozen: Bool { property?.core.session.isFrozen ?? false }

  /// The number of entries.
  public var count: Int {
    switch storage {
    case .local(let entries): entries.count
    case .managed(let property): property.readCount
    }
  }

  /// Whether there are no entries.
  public var isEmpty: Bool {
    switch storage {
    case .local(let entries): entries.isEmpty
    case .managed(let property): property.readIsEmpty
    }
  }

  /// The keys, in order.
  public var keys: [Key] {
    switch storage {
    case .local(let entries):
      MapEntries(entries.keys.map { ($0._text, .null) }).inKeyOrder.map { Key(_text: $0.key) }
    case .managed(let property): property.readKeys.map(Key.init(_text:))
    }
  }

  /// The values, in the order of the keys.
  public var values: [Value] {
    switch storage {
    case .local(let entries): keys.compactMap { entries[$0] }
    case .managed(let property): property.readElements.map { property.decode($0) }
    }
  }

  /// The value of a key; nil for a key that the map does not have. Assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      switch storage {
      case .local(let entries): entries[key]
      case .managed(let property):
        property.readValue(forKey: key._text).map { property.decode($0) }
      }
    }
    set {
      switch storage {
      case .local(var entries):
        entries[key] = newValue
        storage = .local(entries)
      case .managed(let property):
        if let newValue {
          property.edit(.setKey(key._text, try newValue._encode(LinkEncoder(property.core))))
        } else {
          property.edit(.removeKey(key._text))
        }
      }
    }
  }

  /// The value of a key, or the default.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// Assigns the value of a key; returns the previous one.
  @discardableResult
  public func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let previous = self[key]
    self[key] = value
    return previous
  }

  /// Adds the entries of another map or dictionary; of a key that both have, `combine` makes the value.
  public func merge(
    _ other: some Sequence<(key: Key, value: Value)>,
    uniquingKeysWith combine: (_ present: Value, _ new: Value) throws -> Value
  ) rethrows {
    for (key, value) in other { self[key] = try self[key].map { try combine($0, value) } ?? value }
  }

  /// Removes a key, if the map has it.
  public func removeValue(forKey key: Key) { self[key] = nil }

  /// Removes every entry.
  public func removeAll() {
    switch storage {
    case .local: storage = .local([:])
    case .managed(let property): property.edit(.removeAll)
    }
  }
}

extension Map: Sequence {
  /// A key with its value.
  public typealias Element = (key: Key, value: Value)

  /// Iterates over the entries that there are at this moment, in the order of the keys.
  public func makeIterator() -> AnyIterator<Element> {
    var entries = zip(keys, values).makeIterator()
    return AnyIterator { entries.next().map { (key: $0, value: $1) } }
  }
}

extension Map: Persistable {
  public typealias PersistedType = Map<Key, Value>

  public static var _type: PersistedProperty { PersistedProperty(Value._element, shape: .map) }
  public static func _initial() -> Map<Key, Value> { Map() }

  public static func _probe(_ trace: KeyPathTrace) -> Map<Key, Value>? {
    Value._probeElement(trace).map { [Key(_text: ""): $0] }
  }

  public static func _read(_ reference: PropertyReference) -> Map<Key, Value> {
    Map(reference.property)
  }

  public func _content(_ links: LinkEncoder) throws -> PropertyContent {
    .map(MapEntries(try map { ($0.key._text, try $0.value._encode(links)) }))
  }

  public func _attach(to reference: PropertyReference) {
    storage = .managed(reference.property)
  }

  public func _encode(_ links: LinkEncoder) throws -> HeraldModel.Value {
    throw QueryArgumentError("'\(_text)' is no value to compare with")
  }

  public static func _decode(_ value: HeraldModel.Value, _ core: StoreCore) -> Map<Key, Value>? {
    nil
  }

  public var _text: String { "Map<\(Key.self), \(Value.self)> of \(count)" }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// A map of no object with some entries; of equal keys the last one counts.
  public convenience init(dictionaryLiteral elements: (Key, Value)...) {
    self.init()
    storage = .local(Dictionary(elements) { $1 })
  }
}

extension Map: CustomStringConvertible {
  /// The entries in brackets, in the order of the keys.
  public var description: String {
    "[" + map { "\($0.key._text): \($0.value._text)" }.joined(separator: ", ") + "]"
  }
}

extension Map {
  /// The values of the map without keys, live; of a map of no object those that there are.
  package var valueList: List<Value> { property.map { List($0) } ?? List(values) }

  /// The objects of the map, without keys, to be queried; nil for a map of no object.
  package func linkedObjects<Linked: ObjectBase>(of type: Linked.Type) -> List<Linked>? {
    property.map { List($0) }
  }
}
