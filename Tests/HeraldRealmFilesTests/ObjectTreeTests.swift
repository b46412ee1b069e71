import HeraldRealmFiles
import RealmFileBuilder
import Testing

/// Trees of objects, their keys and positions.
struct ObjectTreeTests {
  private static let column = RealmFileBuilder.Column("i", 0)

  private static func file(
    format: UInt8 = 24, _ clusters: (inout RealmFileBuilder) -> Int
  ) throws -> RealmFile {
    var builder = RealmFileBuilder()
    let root = clusters(&builder)
    let table = builder.table([column], clusters: root)
    return try RealmFile(bytes: builder.file([("class_A", table)], format: format))
  }

  private static func leaf(
    _ builder: inout RealmFileBuilder, keys: [Int64]? = nil, _ values: [Int64]
  ) -> Int {
    let column = builder.integers(values)
    let keys = keys.map { builder.integers($0) }
    return builder.array([keys.map { .ref($0) } ?? .tagged(values.count), .ref(column)])
  }

  private func objects(_ file: RealmFile) throws -> [[Int64]] {
    var cursor = try file.objects(of: 0)
    let positions = try file.positions(of: 0)
    var objects: [[Int64]] = []
    while try cursor.nextBlock() {
      for index in 0..<cursor.count {
        guard case .int(let value) = try cursor.value(of: 0, at: index) else { throw NotThere() }
        objects.append([cursor.key(at: index), value])
        #expect(
          try positions.index(of: cursor.key(at: index)) == cursor.firstPosition + index)
      }
    }
    #expect(objects.count == file.tables[0].objectCount)
    return objects
  }

  @Test func `keys count up, or are in an array`() throws {
    #expect(
      try objects(Self.file { Self.leaf(&$0, [5, 6]) }) == [[0, 5], [1, 6]])
    #expect(
      try objects(Self.file { Self.leaf(&$0, keys: [3, 200], [5, 6]) }) == [[3, 5], [200, 6]])
  }

  @Test func `inner nodes have offsets of keys, or none`() throws {
    let file = try Self.file { builder in
      let leaves = [
        Self.leaf(&builder, keys: [0, 9], [1, 2]), Self.leaf(&builder, [3, 4]),
        Self.leaf(&builder, keys: [100, 101], [5, 6]),
      ]
      return builder.array(
        [.none, .tagged(1), .tagged(6)] + leaves.map { .ref($0) }, .inner)
    }
    #expect(try objects(file) == [[0, 1], [9, 2], [256, 3], [257, 4], [612, 5], [613, 6]])
    #expect(try file.positions(of: 0).index(of: 5) == nil)
    #expect(try file.positions(of: 0).index(of: 258) == nil)
    #expect(try file.positions(of: 0).index(of: -1) == nil)
    #expect(try file.positions(of: 0).index(of: .max) == nil)
    let hashed = try Self.file { builder in
      let first = Self.leaf(&builder, keys: [1 << 40, 1 << 41], [1, 2])
      let second = Self.leaf(&builder, keys: [0, 5], [3, 4])
      let keys = builder.integers([0, 1 << 50])
      return builder.array(
        [.ref(keys), .tagged(1), .tagged(4), .ref(first), .ref(second)], .inner)
    }
    #expect(
      try objects(hashed) == [[1 << 40, 1], [1 << 41, 2], [1 << 50, 3], [1 << 50 + 5, 4]])
  }

  @Test func `nodes of four elements, as debugging builds have, are noticed`() throws {
    let file = try Self.file { builder in
      let leaves = [
        Self.leaf(&builder, [0, 1, 2, 3]), Self.leaf(&builder, [4, 5, 6, 7]),
        Self.leaf(&builder, [8]),
      ]
      return builder.array(
        [.none, .tagged(1), .tagged(9)] + leaves.map { .ref($0) }, .inner)
    }
    #expect(try objects(file) == (0..<9).map { [$0, $0] })
  }

  @Test func `a schema has what the file says`() throws {
    var builder = RealmFileBuilder()
    let cluster = builder.array([.tagged(0)])
    let dogs = builder.table(
      [.init("name", 2, 1), .init("owner", 12, 16, target: 1), .init("tags", 2, 16 | 32)],
      clusters: cluster, primaryKey: 0)
    let people = builder.array([.tagged(0)])
    let persons = builder.table(
      [.init("any", 6, 16), .init("map", 0x20000, 64), .init("text", 2, 256)], clusters: people,
      key: 1, flags: 1)
    let file = try RealmFile(
      bytes: builder.file([("metadata", dogs), ("class_Person", persons)]))
    #expect(file.classes.map(\.name) == ["Person"])
    #expect(file.tables.map(\.name) == ["Person", "metadata"])
    #expect(file.formatVersion == 24 && !file.isEncrypted && file.isUnchanged)
    let person = file.tables[0]
    #expect(person.isEmbedded && !person.isAsymmetric && person.primaryKeyIndex == nil)
    #expect(person.properties.map(\.type) == [.mixed, .int, .string])
    #expect(person.properties.map(\.collection) == [.none, .dictionary, .none])
    #expect(person.properties.map(\.isOptional) == [true, false, false])
    #expect(person.properties.map(\.isFullTextIndexed) == [false, false, true])
    let dog = file.tables[1]
    #expect(dog.isLibraryTable && dog.primaryKeyIndex == 0)
    #expect(dog.properties.map(\.isIndexed) == [true, false, false])
    #expect(dog.properties.map(\.targetIndex) == [nil, 0, nil])
    #expect(dog.properties.map(\.collection) == [.none, .none, .list])
    #expect(file.classIndex("Person") == 0 && file.classIndex("metadata") == nil)
  }
}

extension ObjectTreeTests {
  @Test func `a cursor moves to any position`() throws {
    let file = try Self.file { builder in
      let leaves = (0..<5).map { leaf in
        Self.leaf(&builder, keys: [0, 9, 10], (0..<3).map { Int64(leaf * 3 + $0) })
      }
      let damaged = builder.blob([0])
      let children = [leaves[0], damaged] + leaves[1...]
      return builder.array(
        [.none, .tagged(1), .tagged(15)] + children.map { .ref($0) }, .inner)
    }
    var cursor = try file.objects(of: 0)
    for position in [14, 0, 7, 8, 6, 3, 2, 12, 5] {
      let index = try #require(try cursor.move(toPosition: position))
      #expect(try cursor.value(of: 0, at: index) == .int(Int64(position)))
    }
    #expect(try cursor.nextBlock())
    #expect(cursor.firstPosition == 6)
    #expect(try cursor.move(toPosition: 15) == nil)
    #expect(try cursor.move(toPosition: -1) == nil)
    // Positions count what can be read; the gap is noticed by a pass.
    #expect(try cursor.move(toPosition: 0) == 0)
    #expect(throws: RealmFileError.self) { try cursor.nextBlock() }
    #expect(try cursor.nextBlock())
    #expect(cursor.firstPosition == 3)
  }
}
