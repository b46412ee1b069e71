package import HeraldStorage

/// Where a store is in the stream of commits that it follows.
///
///     replica := string stream, count sequence             as metadata under the name "replica"
package struct StreamPosition: Hashable, Sendable {
  package static let name = "replica"

  /// The identity of the stream, which a later one of its name does not have: `NAME@` and more.
  package let stream: String
  /// The number of the message that made the store's version; 0 for a new store.
  package let sequence: UInt64

  /// The name of the stream.
  package var streamName: String { String(stream.prefix { $0 != "@" }) }

  package init(stream: String, sequence: UInt64) {
    self.stream = stream
    self.sequence = sequence
  }

  /// The position of the version that a snapshot reads; nil if the store follows no stream.
  package init?(in storage: StorageSnapshot) {
    guard let bytes = storage.metadata(Self.name) else { return nil }
    var reader = ByteReader(bytes)
    guard let stream = try? reader.string(), let sequence = try? reader.count() else { return nil }
    self.init(stream: stream, sequence: UInt64(bitPattern: Int64(sequence)))
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.string(stream)
    writer.count(Int(bitPattern: UInt(sequence)))
    return writer.bytes
  }
}
