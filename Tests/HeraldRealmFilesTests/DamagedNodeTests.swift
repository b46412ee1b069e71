import HeraldRealmFiles
import RealmFileBuilder
import Testing

/// Files that are damaged: each fault is one sentence, and spoils only what it must.
struct DamagedNodeTests {
  private typealias Builder = RealmFileBuilder

  /// Returns the sentence of the error that opening these bytes throws.
  private func sentence(_ bytes: [UInt8], key: [UInt8]? = nil) -> String? {
    do {
      _ = try RealmFile(bytes: bytes, key: key)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func small(_ format: UInt8 = 24) -> [UInt8] {
    Builder.file(.init("i", 0), count: 2, format: format) { $0.integers([1, 2]) }
  }

  @Test func `what is no file of these formats is refused`() throws {
    #expect(sentence([]) == "this is not a Realm file")
    #expect(sentence(Array("SQLite format 3, and more of it".utf8)) == "this is not a Realm file")
    #expect(
      sentence(Self.small(25))
        == "the file is in format 25, which is too new; formats 2 to 24 can be read")
    #expect(
      sentence(Self.small(15))
        == "the file is in format 15, which is not known; formats 2 to 24 can be read")
    #expect(
      sentence(Self.small(), key: [1, 2]) == "the key has 2 bytes; keys have 64")
    #expect(
      sentence(Self.small(), key: [UInt8](repeating: 1, count: 64))
        == "the file is not encrypted; open it without a key")
    var encrypted = [UInt8](repeating: 0, count: 8192)
    encrypted[0] = 1
    #expect(sentence(encrypted) == "this is not a Realm file")
    for index in 4096..<8192 { encrypted[index] = UInt8(truncatingIfNeeded: index) }
    #expect(
      sentence(encrypted)
        == "the file is encrypted, or no Realm file; an encrypted one needs its key of 64 bytes")
    #expect(throws: RealmFileError.self) { try RealmFile(path: "/nonexistent/default.realm") }
    do {
      _ = try RealmFile(path: "/")
    } catch {
      #expect("\(error)" == "/: this is not a file")
    }
  }

  @Test func `the streamed form is read, and noticed if it is cut`() throws {
    var bytes = Self.small()
    let top = Array(bytes[..<8])
    bytes.replaceSubrange(0..<8, with: [UInt8](repeating: 0xFF, count: 8))
    bytes += top + [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
    #expect(try ColumnTests.values(bytes) == [.int(1), .int(2)])
    #expect(sentence(bytes.dropLast(8)) == "the end of the file is missing")
    #expect(throws: RealmFileError.self) { try RealmFile(bytes: bytes, state: .previous) }
  }

  @Test func `the selected state is read, and the other if it is asked for`() throws {
    var bytes = Self.small()
    bytes.replaceSubrange(8..<16, with: bytes[..<8])
    bytes.replaceSubrange(0..<8, with: [8, 0, 0, 0, 0, 0, 0, 0])
    #expect(sentence(bytes) == "a reference does not lead to a node (at byte 8 of the file)")
    bytes[23] = 1
    #expect(try ColumnTests.values(bytes) == [.int(1), .int(2)])
    bytes[23] = 0
    #expect(try RealmFile(bytes: bytes, state: .previous).tables[0].objectCount == 2)
  }

  @Test func `a damaged leaf spoils only its column`() throws {
    var builder = Builder()
    let good = builder.integers([1, 2])
    let texts = builder.medium([[0x61], [0xFF, 0xFE]], ending: 1)
    let cluster = builder.array([
      .tagged(2), .ref(good), .ref(builder.bytes.count + 80), .ref(texts),
    ])
    let table = builder.table(
      [.init("good", 0), .init("bad", 0), .init("text", 2)], clusters: cluster)
    let file = try RealmFile(bytes: builder.file([("class_Dog", table)]))
    var cursor = try file.objects(of: 0)
    #expect(try cursor.nextBlock())
    #expect(cursor.column(of: 0).values == [.int(1), .int(2)])
    let bad = cursor.column(of: 1)
    #expect(bad.values == [.null, .null])
    #expect(bad.damages.map(\.indices) == [0..<2])
    let text = cursor.column(of: 2)
    #expect(text.values == [.string("a"), .null])
    #expect(text.damages.map(\.indices) == [1..<2])
    let error = text.damages[0].error
    #expect(error.className == "Dog" && error.property == "text" && error.objectKey == 1)
    #expect(error.reason == .notUTF8)
    #expect(
      "\(error)".hasPrefix("Dog.text, object 1: a text is not valid UTF-8 (at byte "))
    #expect(throws: error) { try cursor.value(of: 2, at: 1) }
    #expect(try cursor.textBytes(of: 2, at: 1) == [0xFF, 0xFE])
    #expect(try cursor.textBytes(of: 0, at: 1) == nil)
    #expect(throws: RealmFileError.self) { try cursor.value(of: 0, at: 2) }
    #expect(throws: RealmFileError.self) { try cursor.value(of: 3, at: 0) }
    #expect(try !cursor.nextBlock())
  }

  @Test func `a damaged cluster is passed over`() throws {
    var builder = Builder()
    let column = builder.integers([1, 2])
    let leaf = builder.array([.tagged(2), .ref(column)])
    let damaged = builder.blob([1])
    let large = builder.array([.tagged(300), .ref(column)])
    let root = builder.array(
      [.none, .tagged(1), .tagged(6), .ref(damaged), .ref(leaf), .ref(leaf), .ref(large), .none],
      .inner)
    let table = builder.table([.init("i", 0)], clusters: root)
    let file = try RealmFile(bytes: builder.file([("class_A", table)]))
    var cursor = try file.objects(of: 0)
    #expect(throws: RealmFileError.self) { try cursor.nextBlock() }
    #expect(try cursor.nextBlock())
    #expect(cursor.key(at: 0) == 256)
    #expect(cursor.column(of: 0).values == [.int(1), .int(2)])
    var reasons: [RealmFileError.Reason] = []
    var isAtEnd = false
    while !isAtEnd {
      do {
        isAtEnd = try !cursor.nextBlock()
      } catch let error as RealmFileError {
        reasons.append(error.reason)
      }
    }
    #expect(
      reasons == [.shared, .wrongCount(found: 300, expected: 256), .missing(element: 7)])
  }

  @Test func `a tree that contains itself ends`() throws {
    var builder = Builder()
    let own = builder.bytes.count
    let root = builder.array(
      [.none, .tagged(1), .tagged(6), .ref(own), .ref(own)], .inner)
    #expect(root == own)
    let table = builder.table([.init("i", 0)], clusters: root)
    let file = try RealmFile(bytes: builder.file([("class_A", table)]))
    var cursor = try file.objects(of: 0)
    #expect(throws: RealmFileError.self) { try cursor.nextBlock() }
    #expect(throws: RealmFileError.self) { try cursor.nextBlock() }
    #expect(try !cursor.nextBlock())
  }

  @Test func `collections that contain themselves end`() throws {
    let list = Builder.file(.init("l", 0, 32), count: 1) { builder in
      let own = builder.bytes.count
      let root = builder.array(
        [.tagged(1)] + Array(repeating: .ref(own), count: 60) + [.tagged(9)], .inner)
      return builder.refs([root])
    }
    #expect(try error(list).reason == .tooDeep)
    let mixed = Builder.file(.init("m", 6, 16), count: 1) { builder in
      let types = builder.integers([0 << 8 | 4 << 5 | 20])
      let own = builder.bytes.count + 16
      let collections = builder.refs([own])
      let leaf = builder.array([.ref(types), .none, .none, .none, .ref(collections)])
      #expect(leaf == own)
      return leaf
    }
    #expect(try error(mixed).reason == .tooDeep)
  }

  @Test func `a tree whose nodes each have the next one twice ends`() throws {
    let list = Builder.file(.init("l", 0, 32), count: 1) { builder in
      var node = builder.integers([1, 2])
      for _ in 0..<35 {
        node = builder.array([.tagged(2), .ref(node), .ref(node), .tagged(1 << 40)], .inner)
      }
      return builder.refs([node])
    }
    #expect(try error(list).reason == .tooMuch)
  }

  /// Returns the error of the first value.
  private func error(_ bytes: [UInt8]) throws -> RealmFileError {
    var cursor = try RealmFile(bytes: bytes).objects(of: 0)
    #expect(try cursor.nextBlock())
    do {
      _ = try cursor.value(of: 0, at: 0)
    } catch let error as RealmFileError {
      return error
    }
    throw NotThere()
  }

  @Test func `a list of more values than the file can hold is refused`() throws {
    let bytes = Builder.file(.init("l", 0, 32), count: 1) { builder in
      let zeros = builder.node([], width: 0, count: 0xFF_FFFF, [])
      return builder.refs([zeros])
    }
    #expect(try error(bytes).reason == .tooMuch)
  }

  @Test func `a column of large values comes in parts`() throws {
    let bytes = Builder.file(.init("l", 0, 32), count: 100) { builder in
      let zeros = builder.node([], width: 0, count: 250_000, [])
      return builder.refs(Array(repeating: zeros, count: 100))
    }
    var cursor = try RealmFile(bytes: bytes).objects(of: 0)
    #expect(try cursor.nextBlock())
    let first = cursor.column(of: 0)
    #expect(first.indices == 0..<1 && first.damages == [])
    #expect(cursor.column(of: 0, from: 99).indices == 99..<100)
    #expect(cursor.column(of: 0, from: 100).indices == 100..<100)
  }

  @Test func `a class that is damaged says so, and others are read`() throws {
    var builder = Builder()
    let column = builder.integers([1])
    let cluster = builder.array([.tagged(1), .ref(column)])
    let table = builder.table([.init("i", 0)], clusters: cluster)
    let file = try RealmFile(
      bytes: builder.file([("class_A", column), ("class_B", table), ("class_C", table)]))
    #expect(file.tables.map(\.error?.reason) == [.wrongNode, nil, .shared])
    #expect(file.tables[1].objectCount == 1)
    #expect(throws: RealmFileError.self) { _ = try file.objects(of: 0) }
    #expect(throws: RealmFileError.self) { _ = try file.objects(of: 3) }
  }

  @Test func `a column of an unknown type says so`() throws {
    let bytes = Builder.file(.init("x", 31), count: 1) { $0.integers([1]) }
    #expect(try RealmFile(bytes: bytes).tables[0].properties[0].type == .unknown(31))
    #expect("\(try error(bytes))".hasPrefix("A.x, object 0: type 31 is not known (at byte "))
  }

  @Test func `a file cut anywhere is read or refused`() throws {
    let bytes = Builder.file(.init("s", 2), count: 3) { $0.shortStrings(["a", "bc", "def"]) }
    for count in 0..<bytes.count {
      guard let file = try? RealmFile(bytes: Array(bytes[..<count])), file.tables[0].error == nil,
        var cursor = try? file.objects(of: 0)
      else { continue }
      while (try? cursor.nextBlock()) == true { _ = cursor.column(of: 0) }
    }
  }
}
