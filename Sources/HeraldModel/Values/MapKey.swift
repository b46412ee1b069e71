/// The key of a map, compared by Unicode scalars. `String` compares by canonical equivalence, so that
/// "é" as one scalar equals "é" as two.
package struct MapKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: MapKey, b: MapKey) -> Bool { a.text.hasSameBytes(as: b.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// A set of map keys.
package struct KeySet: Hashable, Sendable {
  private var members: Set<MapKey> = []

  package init() {}

  package init(_ keys: some Sequence<String>) { members = Set(keys.lazy.map { MapKey($0) }) }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }

  package func contains(_ key: String) -> Bool { members.contains(MapKey(key)) }

  /// Returns whether the key was inserted.
  @discardableResult
  package mutating func insert(_ key: String) -> Bool { members.insert(MapKey(key)).inserted }

  /// Returns the removed key; nil if it was not present.
  @discardableResult
  package mutating func remove(_ key: String) -> String? { members.remove(MapKey(key))?.text }

  package mutating func formUnion(_ keys: some Sequence<String>) {
    for key in keys { insert(key) }
  }

  package mutating func subtract(_ keys: some Sequence<String>) {
    for key in keys { remove(key) }
  }

  package func subtracting(_ keys: some Sequence<String>) -> KeySet {
    var rest = self
    rest.subtract(keys)
    return rest
  }
}

extension KeySet: Sequence {
  package func makeIterator() -> some IteratorProtocol<String> {
    members.lazy.map(\.text).makeIterator()
  }
}

extension KeySet: ExpressibleByArrayLiteral {
  package init(arrayLiteral keys: String...) { self.init(keys) }
}

extension Sequence<String> {
  /// The elements in the order of map keys: by code point.
  package var inKeyOrder: [String] { sorted { $0.byteOrder($1) < 0 } }
}
