import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// The bytes of numbers, values and entries of the log: as short as described, and read as what they are or not at all.
@Suite struct ByteCodingTests {
  /// A number, and its bytes.
  struct Number: Sendable {
    let number: Int
    let bytes: [UInt8]
  }

  static let counts = [
    Number(number: 0, bytes: [0]), Number(number: 127, bytes: [0x7F]),
    Number(number: 128, bytes: [0x80, 1]), Number(number: 300, bytes: [0xAC, 2]),
    Number(number: .max, bytes: Array(repeating: 0xFF, count: 8) + [0x7F]),
    Number(number: -1, bytes: Array(repeating: 0xFF, count: 9) + [1]),
  ]

  @Test(arguments: counts)
  func `a count takes a byte for each seven bits`(_ number: Number) throws {
    var writer = ByteWriter()
    writer.count(number.number)
    #expect(writer.bytes == number.bytes)
    var reader = ByteReader(number.bytes)
    #expect(try reader.count() == number.number && reader.isAtEnd)
  }

  static let integers = [
    Number(number: 0, bytes: [0]), Number(number: -1, bytes: [1]), Number(number: 1, bytes: [2]),
    Number(number: -64, bytes: [0x7F]), Number(number: 64, bytes: [0x80, 1]),
    Number(number: .min, bytes: Array(repeating: 0xFF, count: 9) + [1]),
  ]

  @Test(arguments: integers)
  func `an integer near zero is short, whatever its sign`(_ number: Number) throws {
    var writer = ByteWriter()
    writer.integer(number.number)
    #expect(writer.bytes == number.bytes)
    var reader = ByteReader(number.bytes)
    #expect(try reader.integer() == number.number && reader.isAtEnd)
  }

  @Test(arguments: [0, 1, 510, 511, 512, 513, 600, 5_000])
  func `what is collected first and what is not come in order`(_ length: Int) throws {
    var writer = ByteWriter()
    let bytes = (0..<length).map { UInt8($0 & 255) }
    for _ in 0..<3 {
      writer.byte(7)
      writer.data(bytes)
      writer.string("ä\(length)")
      writer.fixed(UInt32(0x0102_0304))
    }
    var reader = ByteReader(writer.bytes)
    for _ in 0..<3 {
      #expect(try reader.byte() == 7)
      #expect(try reader.data() == bytes)
      #expect(try reader.string() == "ä\(length)")
      #expect(try reader.raw(4) == [4, 3, 2, 1])
    }
    #expect(reader.isAtEnd && reader.rest.isEmpty)
  }

  /// Bytes that are no value.
  static let damaged: [[UInt8]] = [
    [], [15], [255], [3], [3, 0x80], [4, 1, 2, 3], [5, 1, 2, 3, 4, 5, 6, 7], [6, 2, 65], [7, 1],
    // A date with too many nanoseconds for their type, an identifier that is too short, and an endless number.
    [8, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [11, 2, 1, 2], [12, 1, 1], [13, 2, 0],
    [14, 1, 1, 65],
    [3] + Array(repeating: 0xFF, count: 11), [13] + Array(repeating: 0xFF, count: 9) + [1],
    [9] + [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1],
  ]

  @Test(arguments: damaged)
  func `bytes that are no value are an error`(_ bytes: [UInt8]) {
    #expect(throws: DamagedBytes.self) {
      var reader = ByteReader(bytes)
      _ = try reader.value()
    }
  }

  @Test func `values that nest too deeply are an error, and no overflow of the stack`() {
    let deepest = (0..<nestingLimit - 1).reduce(Value.list([])) { value, _ in .list([value]) }
    var reader = ByteReader(ByteWriter.encoded(deepest))
    #expect(throws: Never.self) { try reader.value() }
    #expect(throws: DamagedBytes.self) {
      var reader = ByteReader(Array(repeating: [13, 1], count: 100_000).flatMap { $0 })
      _ = try reader.value()
    }
  }

  @Test func `equal maps have equal bytes`() {
    let keys = (0..<20).map { "k\($0)" }
    let map = Value.map(MapEntries(keys.map { ($0, .int(1)) }))
    let other = Value.map(MapEntries(keys.reversed().map { ($0, .int(1)) }))
    #expect(ByteWriter.encoded(map) == ByteWriter.encoded(other))
  }

  // MARK: Entries of the log

  static let infos = [
    CommitInfo(time: Timestamp(seconds: 7, nanoseconds: 9), session: "", process: 0),
    CommitInfo(
      time: Timestamp(seconds: -7), message: "why", session: "main", process: 4_000_000,
      reversal: .undo(300)),
    CommitInfo(
      time: Timestamp(seconds: 1 << 40, nanoseconds: 999_999_999), message: "", session: "ä",
      process: 1, reversal: .redo(1)),
  ]

  @Test(arguments: infos)
  func `an entry reads back whole, or only what it says besides the changes`(_ info: CommitInfo)
    throws
  {
    var record = CommitRecord(version: 7)
    record.classes[ClassID(1)] = ClassChange()
    record.classes[ClassID(1)]?.created.insert(5)
    let bytes = LoggedCommit(info: info, record: record).encoded()
    #expect(try LoggedCommit(encoded: bytes) == LoggedCommit(info: info, record: record))
    #expect(try CommitInfo(ofEntry: bytes) == info)
    #expect(bytes.withUnsafeBytes { CommitInfo.time(ofEntry: $0) } == info.time)
    // Of another format, and cut off.
    let other = [bytes[0] + 1] + bytes.dropFirst()
    #expect(try LoggedCommit(encoded: other) == nil)
    #expect(try CommitInfo(ofEntry: other) == nil)
    #expect(other.withUnsafeBytes { CommitInfo.time(ofEntry: $0) } == nil)
    for length in 1..<bytes.count {
      #expect(throws: DamagedBytes.self) { try LoggedCommit(encoded: Array(bytes[..<length])) }
    }
  }
}
