import HeraldRealmFiles
import RealmFileBuilder
import Testing

/// Columns with one value an object, of each type.
struct ColumnTests {
  /// Returns the values of the only column of a file.
  static func values(_ bytes: [UInt8]) throws -> [RealmValue] {
    let file = try RealmFile(bytes: bytes)
    var cursor = try file.objects(of: 0)
    var values: [RealmValue] = []
    while try cursor.nextBlock() {
      let column = cursor.column(of: 0)
      #expect(column.damages == [])
      for index in 0..<cursor.count {
        // As text, since NaN is not equal to itself.
        #expect("\(try cursor.value(of: 0, at: index))" == "\(column.values[index])")
      }
      values += column.values
    }
    return values
  }

  @Test func `integers, and those that can be null`() throws {
    let plain = try Self.values(
      RealmFileBuilder.file(.init("i", 0), count: 3) { $0.integers([5, -70_000, 0]) })
    #expect(plain == [.int(5), .int(-70_000), .int(0)])
    let nullable = try Self.values(
      RealmFileBuilder.file(.init("i", 0, 16), count: 3) { $0.integers([13, 5, 13, 0]) })
    #expect(nullable == [.int(5), .null, .int(0)])
  }

  @Test func `Booleans are null where they are 3`() throws {
    let values = try Self.values(
      RealmFileBuilder.file(.init("b", 1, 16), count: 3) { $0.integers([1, 3, 0]) })
    #expect(values == [.bool(true), .null, .bool(false)])
  }

  @Test func `floats and doubles have one pattern that is null`() throws {
    let floats = try Self.values(
      RealmFileBuilder.file(.init("f", 9, 16), count: 3) {
        $0.floats([1.5, Float(bitPattern: 0x7FC0_00AA), -.infinity])
      })
    #expect(floats == [.float(1.5), .null, .float(-.infinity)])
    let doubles = try Self.values(
      RealmFileBuilder.file(.init("d", 10, 16), count: 2) {
        $0.doubles([-0.25, Double(bitPattern: 0x7FF8_0000_0000_00AA)])
      })
    #expect(doubles == [.double(-0.25), .null])
    let required = try Self.values(
      RealmFileBuilder.file(.init("d", 10), count: 1) {
        $0.doubles([Double(bitPattern: 0x7FF8_0000_0000_00AA)])
      })
    guard case .double(let number) = required[0] else { throw NotThere() }
    #expect(number.isNaN)
  }

  @Test func `dates have seconds and nanoseconds of one sign`() throws {
    let values = try Self.values(
      RealmFileBuilder.file(.init("t", 8, 16), count: 3) { builder in
        let seconds = builder.integers([99, 0, 99, -1])
        let nanoseconds = builder.integers([-500_000_000, 0, -500_000_000])
        return builder.refs([seconds, nanoseconds])
      })
    #expect(
      values == [
        .timestamp(seconds: 0, nanoseconds: -500_000_000), .null,
        .timestamp(seconds: -1, nanoseconds: -500_000_000),
      ])
  }

  private static let texts: [String?] = ["", nil, "a", "fifteen letters", "é😀", "\0b"]

  @Test func `texts are short, medium, big or enumerated`() throws {
    let expected = Self.texts.map { $0.map { RealmValue.string($0) } ?? .null }
    let column = RealmFileBuilder.Column("s", 2, 16)
    let bytes = Self.texts.map { $0.map { Array($0.utf8) } }
    let count = Self.texts.count
    #expect(
      try Self.values(RealmFileBuilder.file(column, count: count) { $0.shortStrings(Self.texts) })
        == expected)
    #expect(
      try Self.values(RealmFileBuilder.file(column, count: count) { $0.medium(bytes, ending: 1) })
        == expected)
    #expect(
      try Self.values(RealmFileBuilder.file(column, count: count) { $0.big(bytes, ending: 1) })
        == expected)
    #expect(
      try Self.values(
        RealmFileBuilder.file(column, count: 4, distinct: ["red", nil]) {
          $0.integers([0, 1, 1, 0])
        }) == [.string("red"), .null, .null, .string("red")])
    #expect(
      try Self.values(
        RealmFileBuilder.file(column, count: 2) { $0.shortStrings([nil, nil]) }) == [.null, .null])
  }

  @Test func `bytes are medium or big, in one piece or several`() throws {
    let contents: [[UInt8]?] = [[], nil, [0], [1, 2, 3]]
    let expected = contents.map { $0.map { RealmValue.data($0) } ?? .null }
    let column = RealmFileBuilder.Column("b", 4, 16)
    #expect(
      try Self.values(RealmFileBuilder.file(column, count: 4) { $0.medium(contents, ending: 0) })
        == expected)
    #expect(
      try Self.values(RealmFileBuilder.file(column, count: 4) { $0.big(contents, ending: 0) })
        == expected)
    let pieces = try Self.values(
      RealmFileBuilder.file(column, count: 1) { builder in
        let first = builder.blob([1, 2])
        let second = builder.blob([3])
        let both = builder.refs([first, second], .context)
        return builder.refs([both], .context)
      })
    #expect(pieces == [.data([1, 2, 3])])
  }

  @Test func `object IDs and UUIDs are in blocks of eight`() throws {
    let objectIDs = (0..<20).map { $0 % 5 == 3 ? nil : [UInt8](repeating: UInt8($0), count: 12) }
    let values = try Self.values(
      RealmFileBuilder.file(.init("o", 15, 16), count: 20) {
        $0.identifiers(objectIDs, length: 12)
      })
    for (index, value) in values.enumerated() {
      guard case .objectID(let id) = value else {
        #expect(value == .null && objectIDs[index] == nil)
        continue
      }
      #expect(id.bytes == objectIDs[index])
    }
    let uuid = Array(UInt8(1)...16)
    let uuids = try Self.values(
      RealmFileBuilder.file(.init("u", 17, 16), count: 9) {
        $0.identifiers(Array(repeating: nil, count: 8) + [uuid], length: 16)
      })
    #expect(uuids[7] == .null)
    #expect(
      uuids[8] == .uuid(RealmUUID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)))
  }

  @Test func `decimals have 0, 4, 8 or 16 bytes`() throws {
    func decimals(_ width: Int, _ payload: [UInt8], count: Int, context: Bool = false) throws
      -> [RealmValue]
    {
      try Self.values(
        RealmFileBuilder.file(.init("d", 11, 16), count: count) {
          $0.node(context ? [.multiply, .context] : .multiply, width: width, count: count, payload)
        })
    }
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let zero = RealmValue.decimal(high: 0x3040 << 48, low: 0)
    #expect(try decimals(0, [], count: 2) == [.null, .null])
    #expect(try decimals(0, [], count: 2, context: true) == [zero, zero])
    // -1.5, the largest coefficient (long form), null, infinity, NaN
    let narrow: [UInt32] = [
      1 << 31 | 100 << 23 | 15, 0b11 << 29 | 101 << 21 | 0x1F_FFFF, 0x7C00_00AA, 0x7800_0000,
      0x7C00_0000,
    ]
    #expect(
      try decimals(4, narrow.flatMap { bytes($0) }, count: 5) == [
        .decimal(high: 1 << 63 | 6175 << 49, low: 15), .decimal(high: 6176 << 49, low: 0x9F_FFFF),
        .null, .decimal(high: 0x7800 << 48, low: 0), .decimal(high: 0x7C00 << 48, low: 0),
      ])
    let middle: [UInt64] = [398 << 53 | 7, 0x7C00_0000_0000_00AA]
    #expect(
      try decimals(8, middle.flatMap { bytes($0) }, count: 2)
        == [.decimal(high: 6176 << 49, low: 7), .null])
    let wide: [UInt64] = [9, 0x3040 << 48 | 1, 0xAA, 0x7C << 56]
    #expect(
      try decimals(16, wide.flatMap { bytes($0) }, count: 2)
        == [.decimal(high: 0x3040 << 48 | 1, low: 9), .null])
  }

  @Test func `links to objects that are not there are nil`() throws {
    let values = try Self.values(
      RealmFileBuilder.file(.init("l", 12, 16, target: 0), count: 4) {
        $0.integers([0, 1, 3, -5])
      })
    #expect(
      values == [
        .null, .link(RealmLink(classIndex: 0, objectKey: 0)),
        .link(RealmLink(classIndex: 0, objectKey: 2)), .null,
      ])
  }
}

/// What a test looked for is not there.
struct NotThere: Error {}
