import HeraldModel

/// Appends the numbers, keys and values of a transaction's changes, as `ContentChange` describes their form.
package struct PackedWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  /// A varint: 7 bits a byte, lowest first, the high bit set on all but the last.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func count(_ value: Int) { number(UInt64(value)) }

  package mutating func signed(_ value: Int) {
    number(UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))))
  }

  package mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func data(_ data: some Collection<UInt8>) {
    count(data.count)
    bytes.append(contentsOf: data)
  }

  package mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A record's key: that of an index is a column and bytes, others but those of `meta` are words.
  package mutating func key(_ key: UnsafeRawBufferPointer, _ space: RecordSpace) {
    let words = space == .meta ? 0 : space == .index ? min(2, key.count / 4) : key.count / 4
    count(key.count)
    for word in 0..<words { number(UInt64(key.bigEndian(at: word * 4, as: UInt32.self))) }
    raw(key.dropFirst(words * 4))
  }

  /// An index entry or a reverse link.
  package mutating func entry(_ entry: UnsafeRawBufferPointer, _ space: RecordSpace) {
    number(entry.bigEndian(at: 0, as: UInt64.self))
    if space == .links { number(UInt64(entry.bigEndian(at: 8, as: UInt32.self))) }
  }

  package mutating func value(_ value: StoredValue) {
    switch value {
    case .null: byte(0)
    case .integer(let integer):
      byte(1)
      signed(integer)
    case .double(let double):
      byte(2)
      fixed(double.bitPattern)
    case .float(let float):
      byte(3)
      fixed(float.bitPattern)
    case .date(let date):
      byte(4)
      signed(date.seconds)
      count(Int(date.nanoseconds))
    case .bytes(let data):
      byte(5)
      self.data(data)
    }
  }
}
