import HeraldRealmFiles
import RealmFileBuilder
import Testing

/// Columns of formats up to 9, of which no samples are at hand.
struct OldFormatTests {
  /// Returns a file of format 9 with tables of these columns and the roots that `columns` makes.
  private static func file(
    _ specs: [(name: String, types: [Int64], attributes: [Int64], names: [String])],
    subspecs: (inout RealmFileBuilder) -> RealmFileBuilder.Slot = { _ in .none },
    distinct: [String?]? = nil, columns: (inout RealmFileBuilder, Int) -> [Int]
  ) throws -> RealmFile {
    var builder = RealmFileBuilder()
    var tables: [Int] = []
    for (index, spec) in specs.enumerated() {
      let types = builder.integers(spec.types)
      let names = builder.shortStrings(spec.names)
      let attributes = builder.integers(spec.attributes)
      let subspec = index == 0 ? subspecs(&builder) : .none
      var distinctSlot = RealmFileBuilder.Slot.none
      if index == 0, let distinct {
        let strings = builder.shortStrings(distinct)
        distinctSlot = .ref(builder.refs([strings]))
      }
      let specRef = builder.array([
        .ref(types), .ref(names), .ref(attributes), subspec, distinctSlot,
      ])
      let roots = columns(&builder, index)
      let columnsRef = builder.refs(roots)
      tables.append(builder.refs([specRef, columnsRef]))
    }
    let named = zip(specs.map(\.name), tables).map { (name: $0, ref: $1) }
    return try RealmFile(bytes: builder.file(named, format: 9))
  }

  private func values(_ file: RealmFile) throws -> [[RealmValue]] {
    var cursor = try file.objects(of: 0)
    var result = cursor.table.properties.map { _ in [RealmValue]() }
    while try cursor.nextBlock() {
      for index in result.indices {
        let column = cursor.column(of: index)
        #expect(column.damages == [])
        result[index] += column.values
      }
    }
    return result
  }

  @Test func `rows are numbers in trees of their own for each column`() throws {
    let file = try Self.file(
      [
        (
          "class_A", [0, 1, 2, 7, 8, 12], [17, 16, 0, 0, 16, 0],
          ["i", "b", "s", "seconds", "t", "l"]
        )
      ],
      subspecs: { .ref($0.array([.tagged(0)])) },
      columns: { builder, _ in
        let leaves = [builder.integers([9, 1, 9]), builder.integers([0, 3])]
        let integers = builder.array(
          [.tagged(2), .ref(leaves[0]), .ref(leaves[1]), .tagged(3)], .inner)
        let index = builder.integers([])
        let booleans = builder.integers([2, 0, 2, 1])
        let texts = builder.node(.multiply, width: 0, count: 3, [])
        let seconds = builder.integers([5, 6, 7])
        let stampSeconds = builder.integers([8, 4, 8, 5])
        let nanoseconds = builder.integers([1, 0, 2])
        let stamps = builder.refs([stampSeconds, nanoseconds])
        let links = builder.integers([0, 3, 1])
        return [integers, index, booleans, texts, seconds, stamps, links]
      })
    #expect(file.tables[0].objectCount == 3)
    #expect(try file.positions(of: 0).index(of: 2) == 2)
    #expect(try file.positions(of: 0).index(of: 3) == nil)
    #expect(
      try values(file) == [
        [.int(1), .null, .int(3)], [.bool(false), .null, .bool(true)],
        [.string(""), .string(""), .string("")],
        [5, 6, 7].map { .timestamp(seconds: $0, nanoseconds: 0) },
        [
          .timestamp(seconds: 4, nanoseconds: 1), .null, .timestamp(seconds: 5, nanoseconds: 2),
        ],
        [
          .null, .link(RealmLink(classIndex: 0, objectKey: 2)),
          .link(RealmLink(classIndex: 0, objectKey: 0)),
        ],
      ])
  }

  @Test func `lists are tables within the table, and texts can be enumerated`() throws {
    let file = try Self.file(
      [("class_A", [5, 3, 13], [0, 0, 0], ["list", "color", "links"])],
      subspecs: { builder in
        let types = builder.integers([0])
        let names = builder.shortStrings(["!ARRAY_VALUE"])
        let attributes = builder.integers([16])
        let spec = builder.refs([types, names, attributes])
        return .ref(builder.array([.ref(spec), .tagged(0)]))
      },
      distinct: ["red", "blue"],
      columns: { builder, _ in
        let values = builder.integers([7, 1, 7, 2])
        let columns = builder.refs([values])
        let lists = builder.array([.none, .ref(columns)])
        let colors = builder.integers([1, 0])
        let positions = builder.integers([1, 0, 1])
        let links = builder.array([.ref(positions), .none])
        return [lists, colors, links]
      })
    let link = [1, 0, 1].map { RealmValue.link(RealmLink(classIndex: 0, objectKey: $0)) }
    #expect(
      try values(file) == [
        [.list([]), .list([.int(1), .null, .int(2)])], [.string("blue"), .string("red")],
        [.list(link), .list([])],
      ])
    #expect(file.tables[0].properties.map(\.isEnumerated) == [false, true, false])
  }

  @Test func `a damaged leaf spoils only its rows`() throws {
    let file = try Self.file(
      [("class_A", [0], [0], ["i"])],
      columns: { builder, _ in
        let leaves = [builder.integers([1, 2]), builder.blob([0]), builder.integers([5])]
        let offsets = builder.integers([2, 4])
        let nested = builder.array(
          [.ref(offsets), .ref(leaves[0]), .ref(leaves[1]), .ref(leaves[2]), .tagged(5)], .inner)
        return [builder.array([.tagged(5), .ref(nested), .none, .tagged(7)], .inner)]
      })
    var cursor = try file.objects(of: 0)
    #expect(try cursor.nextBlock())
    #expect(cursor.count == 7)
    let column = cursor.column(of: 0)
    #expect(column.values == [.int(1), .int(2), .null, .null, .int(5), .null, .null])
    #expect(column.damages.map(\.indices) == [2..<3, 3..<4, 5..<6, 6..<7])
    #expect(column.damages.map(\.error.objectKey) == [2, 3, 5, 6])
    #expect(
      column.damages.map(\.error.reason) == [
        .wrongNode, .wrongNode, .missing(element: 2), .missing(element: 2),
      ])
  }

  @Test func `primary keys are in a table`() throws {
    let file = try Self.file(
      [
        ("pk", [2, 2], [0, 0], ["pk_table", "pk_property"]),
        ("class_Dog", [0, 2], [0, 0], ["age", "name"]),
      ],
      columns: { builder, table in
        guard table == 0 else { return [builder.integers([3]), builder.shortStrings(["Rex"])] }
        return [builder.shortStrings(["Dog"]), builder.shortStrings(["name"])]
      })
    #expect(file.tables[0].name == "Dog")
    #expect(file.tables[0].primaryKeyIndex == 1)
  }
}
