import HeraldMaintenance
import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// Values that are read in place, one row of them or several, are stored as those that are given as contents.
@Suite struct PlainValueTests {
  private static func row(_ name: String, isKeyed: Bool) -> ClassDefinition {
    ClassDefinition(
      name: name,
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: isKeyed),
        .init(name: "flag", element: .bool, isOptional: true),
        .init(name: "size", element: .double, isOptional: true, isIndexed: true),
        .init(name: "text", element: .string, isOptional: true, isIndexed: true),
        .init(name: "note", element: .string, isOptional: true),
        .init(name: "born", element: .date, isOptional: true),
        .init(name: "tag", element: .uuid, isOptional: true, isIndexed: true),
        .init(name: "rest", element: .int, isIndexed: true, defaultValue: .value(.int(5))),
      ])
  }

  private static let names = ["size", "id", "text", "flag", "note", "tag", "born"]

  /// Texts that stay where they are, and never change.
  nonisolated(unsafe) private static let texts: [UnsafeRawBufferPointer] = (0..<20).map { length in
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 * length, alignment: 1)
    bytes.copyBytes(from: String(repeating: "ä1", count: length).utf8)
    return UnsafeRawBufferPointer(bytes)
  }

  private func randomValue(_ name: String, id: Int, _ random: inout SplitMix64) -> PlainValue {
    let number = random.below(20)
    switch name {
    case "id": return .int(id)
    case _ where number == 0: return .null
    case "flag": return .bool(number > 9)
    case "size": return number > 9 ? .int(number) : .double(Double(number) / 4)
    case "text", "note": return .text(Self.texts[number])
    case "tag": return .uuid(UniqueID(bits: (UInt64(number), 7)))
    default: return .date(Timestamp(seconds: number))
    }
  }

  private func values(_ session: Session, _ className: String) throws -> [[Value]] {
    let names = try session.declaredClass(className).properties.map(\.name)
    return try session.objects(className).map { row in
      try names.map { try session.read($0, of: row) }
    }
  }

  @Test(arguments: seeds(5))
  func `rows in place, one by one and together, are stored as contents are`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(
      Self.row("Single", isKeyed: true), Self.row("Rows", isKeyed: false),
      Self.row("Contents", isKeyed: true))
    try session.beginWrite(byHand: true)
    let single = try #require(
      session.insertion(of: try session.declaredClass("Single"), Self.names))
    let rows = try #require(session.insertion(of: try session.declaredClass("Rows"), Self.names))
    #expect(rows.addsRows && !single.addsRows)
    var id = 0
    for _ in 0..<3 {
      let count = 1 + random.below(130)
      var all: [PlainValue] = []
      for _ in 0..<count {
        id += 1
        let row = Self.names.map { randomValue($0, id: id, &random) }
        all += row
        try session.add(named: "Contents", zip(Self.names, row).map { ($0, $1.value) })
        #expect(try row.withUnsafeBufferPointer { try single.add($0, in: session) } == id)
      }
      let numbers = try all.withUnsafeBufferPointer { try rows.add(rows: $0, in: session) }
      #expect(numbers == id - count + 1..<id + 1, "seed \(seed)")
    }
    let expected = try values(session, "Contents")
    #expect(expected.count == id)
    #expect(try values(session, "Single") == expected, "seed \(seed)")
    #expect(try values(session, "Rows") == expected, "seed \(seed)")
    try session.commit()
    #expect(session.check() == [], "seed \(seed)")
  }

  /// A kind of values, and those that it keeps as they are.
  struct Kept: Sendable {
    let element: ElementType
    let kept: [String]
  }

  static let kept = [
    Kept(element: .bool, kept: ["bool"]), Kept(element: .int, kept: ["int"]),
    Kept(element: .double, kept: ["int", "double"]), Kept(element: .date, kept: ["date"]),
    Kept(element: .uuid, kept: ["uuid"]), Kept(element: .string, kept: ["text"]),
    Kept(element: .float, kept: []), Kept(element: .decimal, kept: []),
    Kept(element: .data, kept: []), Kept(element: .objectID, kept: []),
    Kept(element: .any, kept: []), Kept(element: .link(ClassID(1)), kept: []),
  ]

  @Test(arguments: kept)
  func `a type keeps its own values, and integers where it is double`(_ kept: Kept) {
    let samples: [(String, PlainValue)] = [
      ("bool", .bool(true)), ("int", .int(1)), ("double", .double(1)),
      ("date", .date(Timestamp(seconds: 1))), ("uuid", .uuid(UniqueID(bits: (1, 2)))),
      ("text", .text(Self.texts[1])),
    ]
    let kind = PlainKind(kept.element)
    #expect(samples.filter { kind.keeps($0.1, isOptional: true) }.map(\.0) == kept.kept)
    #expect(kind.keeps(.null, isOptional: true) && !kind.keeps(.null, isOptional: false))
  }

  @Test func `a row with a value to refuse, or the key of another, is left`() throws {
    let session = try Session.made(Self.row("Row", isKeyed: true))
    try session.beginWrite(byHand: true)
    let insertion = try #require(
      session.insertion(of: try session.declaredClass("Row"), ["id", "size"]))
    func add(_ values: PlainValue...) throws -> Int? {
      try values.withUnsafeBufferPointer { try insertion.add($0, in: session) }
    }
    #expect(try add(.int(7), .double(1)) == 1)
    #expect(try add(.int(7), .double(1)) == nil)
    #expect(try add(.int(8)) == nil)
    #expect(try add(.null, .double(1)) == nil)
    #expect(try add(.int(8), .text(Self.texts[1])) == nil)
    #expect(try add(.int(8), .null) == 2)
    #expect(try session.objects("Row").count == 2)
    // Rows with a primary key are added one by one.
    let row: [PlainValue] = [.int(9), .null]
    #expect(try row.withUnsafeBufferPointer { try insertion.add(rows: $0, in: session) } == nil)
    try session.rollback()
    #expect(try add(.int(9), .null) == nil)
  }

  @Test func `a row is kept if each of its values is`() throws {
    let session = try Session.made(Self.row("Row", isKeyed: false))
    try session.beginWrite(byHand: true)
    let insertion = try #require(
      session.insertion(of: try session.declaredClass("Row"), ["id", "text"]))
    func keeps(_ values: PlainValue...) -> Bool {
      values.withUnsafeBufferPointer { $0.baseAddress.map(insertion.keeps) ?? false }
    }
    #expect(keeps(.int(1), .null) && keeps(.int(1), .text(Self.texts[2])))
    #expect(!keeps(.null, .null) && !keeps(.int(1), .int(1)) && !keeps(.double(1), .null))
  }
}
