/// The entries of a map: values by keys, which are equal only if their Unicode scalars are. Used and
/// written like a `[String: Value]`: `["a": .int(1)]`.
public struct MapEntries: Hashable, Sendable {
  public typealias Element = (key: String, value: Value)

  private var entries: [MapKey: Value] = [:]

  /// No entries.
  public init() {}

  /// Makes a map; of entries with the same key it keeps the last.
  public init(_ entries: some Sequence<(String, Value)>) {
    for (key, value) in entries { self[key] = value }
  }

  /// The entries of a dictionary.
  public init(_ entries: [String: Value]) {
    for (key, value) in entries { self[key] = value }
  }

  private init(_ entries: [MapKey: Value]) { self.entries = entries }

  /// The value of a key; nil without one. Assigning nil removes the key.
  public subscript(key: String) -> Value? {
    get { entries[MapKey(key)] }
    set { entries[MapKey(key)] = newValue }
  }

  /// The number of entries.
  public var count: Int { entries.count }
  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }
  /// The keys, in no order.
  public var keys: some Collection<String> { entries.keys.lazy.map(\.text) }
  /// The values, in the order of `keys`.
  public var values: some Collection<Value> { entries.values }

  /// The entries sorted by key, in the order of code points.
  public var inKeyOrder: [Element] { sorted { $0.key.byteOrder($1.key) < 0 } }

  /// Removes a key, and returns its value.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> Value? {
    entries.removeValue(forKey: MapKey(key))
  }

  /// Returns the entries with other values.
  public func mapValues<Failure: Error>(
    _ transform: (Value) throws(Failure) -> Value
  ) throws(Failure) -> MapEntries {
    var mapped: [MapKey: Value] = [:]
    mapped.reserveCapacity(entries.count)
    for (key, value) in entries { mapped[key] = try transform(value) }
    return MapEntries(mapped)
  }

  /// Returns the entries with other values, without those that become nil.
  public func compactMapValues(_ transform: (Value) -> Value?) -> MapEntries {
    MapEntries(entries.compactMapValues(transform))
  }

  /// Returns the entries that match a condition.
  public func filter(_ isIncluded: (Element) -> Bool) -> MapEntries {
    MapEntries(entries.filter { isIncluded((key: $0.key.text, value: $0.value)) })
  }
}

extension MapEntries: Sequence {
  /// Iterates over the entries in order of their keys.
  public func makeIterator() -> AnyIterator<Element> {
    var iterator = entries.makeIterator()
    return AnyIterator { iterator.next().map { (key: $0.key.text, value: $0.value) } }
  }
}

extension MapEntries: ExpressibleByDictionaryLiteral {
  /// The entries of a literal.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
