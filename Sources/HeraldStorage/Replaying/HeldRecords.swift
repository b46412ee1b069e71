/// Blocks that replayed commits have changed, in memory, with the version of the last of them: each is written once,
/// when the last commit was replayed.
final class HeldRecords {
  /// That of the key of a block, which has no other record's size.
  static let keySize = 12
  /// The number of bytes above which the records are written.
  private static let limit = 16 << 20

  private struct Key: Hashable {
    let words: (UInt64, UInt32)

    init(_ key: UnsafeRawBufferPointer) {
      words = (
        key.loadUnaligned(as: UInt64.self), key.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      )
    }

    static func == (a: Key, b: Key) -> Bool { a.words == b.words }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
      hasher.combine(words.1)
    }

    var bytes: [UInt8] {
      withUnsafeBytes(of: words.0, Array.init) + withUnsafeBytes(of: words.1, Array.init)
    }
  }

  private struct Record {
    let content: UnsafeMutableRawBufferPointer
    var version: Int
  }

  private var records: [Key: Record] = [:]
  private var size = 0
  /// That of the copy in which the last commit was made, after it.
  var digest: UInt32 = 0

  deinit { removeAll() }

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { size > Self.limit }

  /// The keys, with the versions of the commits that changed the records last, in order.
  var versions: [(key: [UInt8], version: Int)] {
    records.map { ($0.key.bytes, $0.value.version) }.sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }
  }

  func content(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard key.count == Self.keySize else { return nil }
    return records[Key(key)].map { UnsafeRawBufferPointer($0.content) }
  }

  func content(_ key: [UInt8]) -> UnsafeRawBufferPointer? { key.withUnsafeBytes(content) }

  /// Changes bytes of a record in place; returns false if it is not held, or the change is another one.
  func patch(_ key: [UInt8], _ change: ContentChange, version: Int) -> Bool {
    guard case .patched(let patches) = change,
      let index = key.withUnsafeBytes({ records.index(forKey: Key($0)) })
    else { return false }
    let content = records.values[index].content
    var end = 0
    for patch in patches {
      end += patch.gap
      guard patch.bytes.count <= content.count - end else { return false }
      end += patch.bytes.count
    }
    var position = 0
    for patch in patches {
      position += patch.gap
      for byte in patch.bytes {
        content[position] = byte
        position += 1
      }
    }
    records.values[index].version = version
    return true
  }

  func hold(_ key: [UInt8], _ content: [UInt8], version: Int) {
    remove(key)
    let held = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
    held.copyBytes(from: content)
    size += content.count
    records[key.withUnsafeBytes(Key.init)] = Record(content: held, version: version)
  }

  func remove(_ key: [UInt8]) {
    guard let record = records.removeValue(forKey: key.withUnsafeBytes(Key.init)) else { return }
    size -= record.content.count
    record.content.deallocate()
  }

  func removeAll() {
    for record in records.values { record.content.deallocate() }
    records = [:]
    size = 0
  }
}
