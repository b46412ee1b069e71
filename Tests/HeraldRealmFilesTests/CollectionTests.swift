import HeraldRealmFiles
import RealmFileBuilder
import Testing

/// Lists, sets, dictionaries and mixed values.
struct CollectionTests {
  private typealias Column = RealmFileBuilder.Column

  @Test func `a list is a tree of leaves`() throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("l", 0, 16 | 32), count: 3) { builder in
        // The null of each leaf is another number.
        let leaves = [
          builder.integers([7, 1, 7]), builder.integers([9, 7, 9]), builder.integers([0, 5]),
        ]
        let even = builder.array(
          [.tagged(2), .ref(leaves[0]), .ref(leaves[1]), .tagged(4)], .inner)
        let offsets = builder.integers([4])
        let root = builder.array(
          [.ref(offsets), .ref(even), .ref(leaves[2]), .tagged(5)], .inner)
        let short = builder.integers([3, 4, 3])
        return builder.array([.ref(root), .none, .ref(short)])
      })
    #expect(
      values == [
        .list([.int(1), .null, .int(7), .null, .int(5)]), .list([]), .list([.int(4), .null]),
      ])
  }

  @Test(arguments: [(13, 16 | 32, UInt8(23)), (12, 32, 24), (12, 128, 24)])
  func `lists and sets of links leave out what was deleted`(
    _ type: Int, _ attributes: Int, _ format: UInt8
  ) throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("l", type, attributes, target: 0), count: 1, format: format) {
        let links = $0.integers([0, -4, 0], .context)
        return $0.refs([links])
      })
    let link = RealmValue.link(RealmLink(classIndex: 0, objectKey: 0))
    #expect(values == [attributes & 128 != 0 ? .set([link, link]) : .list([link, link])])
  }

  /// A leaf of mixed values: an integer in place, one that is not, a text, a Boolean, and null.
  private static func mixedLeaf(_ builder: inout RealmFileBuilder) -> Int {
    let types = builder.integers([
      -3 << 8 | 1, 0 << 8 | 1 << 5 | 1, 0 << 8 | 3 << 5 | 3, 1 << 8 | 2, 0,
    ])
    let integers = builder.integers([1 << 40])
    let strings = builder.shortStrings(["text"])
    return builder.array([.ref(types), .ref(integers), .none, .ref(strings)])
  }
  private static let mixedValues: [RealmValue] = [
    .int(-3), .int(1 << 40), .string("text"), .bool(true), .null,
  ]

  @Test func `mixed values have the type that they say`() throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("m", 6, 16), count: 5) { Self.mixedLeaf(&$0) })
    #expect(values == Self.mixedValues)
    let others = try ColumnTests.values(
      RealmFileBuilder.file(Column("m", 6, 16), count: 8) { builder in
        func entry(_ type: Int, _ slot: Int, _ index: Int) -> Int64 {
          Int64(index << 8 | slot << 5 | type + 1)
        }
        let types = builder.integers([
          entry(9, 1, 0), entry(10, 1, 1), entry(8, 2, 0), entry(11, 2, 1), entry(16, 2, 2),
          entry(16, 2, 3), entry(4, 3, 0), entry(15, 3, 1),
        ])
        let integers = builder.integers([
          Int64(Float(1.5).bitPattern), Int64(bitPattern: (-2.5).bitPattern),
        ])
        let pairs = builder.integers([-1, -5, 9, 0x3040 << 48, 0, 6, 0, -7])
        let strings = builder.medium([[8, 9], Array(1...12)], ending: 1)
        return builder.refs([types, integers, pairs, strings])
      })
    #expect(
      others == [
        .float(1.5), .double(-2.5), .timestamp(seconds: -1, nanoseconds: -5),
        .decimal(high: 0x3040 << 48, low: 9), .link(RealmLink(classIndex: 0, objectKey: 6)), .null,
        .data([8, 9]),
        .objectID(RealmObjectID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C)),
      ])
  }

  @Test func `a dictionary is two trees since format 23`() throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("d", 0x20006, 16 | 64), count: 2) { builder in
        let keys = builder.shortStrings(["a", "b", "c", "d", "e"])
        let leaf = Self.mixedLeaf(&builder)
        let dictionary = builder.refs([keys, leaf])
        return builder.array([.none, .ref(dictionary)])
      })
    let entries = zip(["a", "b", "c", "d", "e"], Self.mixedValues).map {
      RealmEntry(key: $0, value: $1)
    }
    #expect(values == [.dictionary([]), .dictionary(entries)])
  }

  @Test(arguments: [UInt8(21), 22])
  func `a dictionary is a cluster tree before`(_ format: UInt8) throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("d", 0x20006, 16 | 64), count: 1, format: format) { builder in
        let hashes = builder.integers([3, 7, 8, 9, 10])
        let keys = builder.shortStrings(["c", "a", "x", "y", "z"])
        let leaf = Self.mixedLeaf(&builder)
        let dictionary = builder.refs([hashes, keys, leaf])
        return builder.refs([dictionary])
      })
    guard case .dictionary(let entries) = values[0] else { throw NotThere() }
    #expect(entries.map(\.key) == ["c", "a", "x", "y", "z"])
    #expect(entries.map(\.value) == Self.mixedValues)
  }

  @Test func `collections are nested in mixed values`() throws {
    let values = try ColumnTests.values(
      RealmFileBuilder.file(Column("m", 6, 16), count: 2) { builder in
        let leaf = Self.mixedLeaf(&builder)
        let keys = builder.shortStrings(["k"])
        let one = builder.integers([5 << 8 | 1])
        let oneLeaf = builder.refs([one])
        let dictionary = builder.refs([keys, oneLeaf])
        let types = builder.integers([0 << 8 | 4 << 5 | 20, 1 << 8 | 4 << 5 | 22])
        let collections = builder.refs([leaf, dictionary])
        return builder.array([.ref(types), .none, .none, .none, .ref(collections)])
      })
    #expect(
      values == [
        .list(Self.mixedValues), .dictionary([RealmEntry(key: "k", value: .int(5))]),
      ])
  }
}
