import Glibc
import HeraldRealmFiles
import Testing

/// Every value of the samples, and that each old file can be read or is refused.
///
/// Runs if HERALD_REALM_SAMPLES names the folder with the samples, and HERALD_REALM_EXPECTED the file
/// that `expected` makes of their JSON.
struct SampleTests {
  private static let folder = environment("HERALD_REALM_SAMPLES")
  private static let expected = environment("HERALD_REALM_EXPECTED")

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func content(_ name: String) throws -> [UInt8] {
    guard let file = fopen(name.hasPrefix("/") ? name : "\(folder ?? "")/\(name)", "rb") else {
      throw NotThere()
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func key() throws -> [UInt8] {
    let digits = try content("all-types-encrypted.key.hex").compactMap {
      Character(UnicodeScalar($0)).hexDigitValue
    }
    return stride(from: 0, to: 128, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test(
    .enabled(if: expected != nil),
    arguments: ["all-types.realm", "all-types-compacted.realm", "all-types-encrypted.realm"])
  func `every value is that which its own library prints`(_ name: String) throws {
    let file = try RealmFile(
      path: "\(Self.folder ?? "")/\(name)",
      key: name.contains("encrypted") ? try Self.key() : nil)
    #expect(file.formatVersion == 24)
    #expect(file.schemaVersion == 7)
    let lines = String(decoding: try Self.content(Self.expected ?? ""), as: UTF8.self)
      .split(separator: "\n")
    var rendering = SampleRendering(file)
    var compared = 0
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 4, let index = Int(fields[1]) else { throw NotThere() }
      let value = try rendering.value(String(fields[0]), index, String(fields[2]))
      #expect(value == fields[3], "\(fields[0]) \(index) \(fields[2])")
      compared += 1
    }
    #expect(compared == lines.count && compared > 900)
  }

  @Test(.enabled(if: folder != nil)) func `a wrong key is noticed`() throws {
    let bytes = try Self.content("all-types-encrypted.realm")
    func reason(_ key: [UInt8]?) -> RealmFileError.Reason? {
      do {
        _ = try RealmFile(bytes: bytes, key: key)
        return nil
      } catch {
        return (error as? RealmFileError)?.reason
      }
    }
    var key = try Self.key()
    #expect(reason(key) == nil)
    #expect(reason(nil) == .probablyEncrypted)
    #expect(reason(Array(key.dropLast())) == .keyLength(63))
    key[63] ^= 1
    #expect(reason(key) == .wrongKey)
    key[63] ^= 1
    key[0] ^= 1
    #expect(reason(key) == .wrongKey)
  }

  @Test(.enabled(if: folder != nil)) func `a damaged page spoils only what is on it`() throws {
    var bytes = try Self.content("all-types-encrypted.realm")
    // Data page 40: page 41 of the file.
    bytes[41 * 4096 + 5] ^= 1
    let file = try RealmFile(bytes: bytes, key: try Self.key())
    var damages: [RealmDamage] = []
    var readable = 0
    for index in file.tables.indices where file.tables[index].error == nil {
      var cursor = try file.objects(of: index)
      while try cursor.nextBlock() {
        for property in cursor.table.properties.indices {
          let column = cursor.column(of: property)
          damages += column.damages
          readable += cursor.count - column.damages.reduce(0) { $0 + $1.indices.count }
        }
      }
    }
    #expect(!damages.isEmpty && damages.allSatisfy { $0.error.reason == .damagedPage })
    #expect(readable > 900)
  }

  @Test(.enabled(if: folder != nil)) func `a page whose writing a crash ended is read`() throws {
    var bytes = try Self.content("all-types-encrypted.realm")
    // The records of data pages 0 to 63: the first half is then that of the page that was not written.
    for record in stride(from: 0, to: 4096, by: 64) {
      bytes.replaceSubrange(record + 32..<record + 64, with: bytes[record..<record + 32])
      bytes[record + 8] ^= 1
    }
    let file = try RealmFile(bytes: bytes, key: try Self.key())
    var cursor = try file.objects(of: 0)
    #expect(try cursor.nextBlock())
    #expect(cursor.column(of: 0).damages == [])
  }

  @Test(.enabled(if: folder != nil)) func `decimals of each width are read`() throws {
    let file = try RealmFile(path: "\(Self.folder ?? "")/decimals.realm")
    var cursor = try file.objects(of: 0)
    #expect(try cursor.nextBlock())
    let rendering = SampleRendering(file)
    let rows = (0..<cursor.count).map { index in
      (0..<4).map { property in
        (try? cursor.value(of: property, at: index)).map { rendering.text($0, isMixed: false) }
          ?? ""
      }.joined(separator: " ")
    }
    #expect(
      rows == [
        "0E0 123456785E-1 0E0 null", "15E-1 null 0E0 null", "null -9007199254740991E20 0E0 null",
        "-7E0 0E0 0E0 null", "8388607E3 1E0 0E0 null",
      ])
  }

  /// The format, and the number of objects of all tables; nil if it is refused.
  private static let old: [(name: String, format: Int?, objects: Int)] = [
    ("admin_realm_issue_1794", 9, 11), ("client_file_migration_core6", 9, 34),
    ("client_schema_version_011", 22, 3), ("client_schema_version_012", 22, 3),
    ("consistency_full_0", 9, 10), ("consistency_full_1", 9, 300),
    ("downgrade_asymmetric", 22, 6), ("server_schema_version_020", 22, 3),
    ("sync-metadata-v4", 22, 4), ("sync-metadata-v5", 22, 4), ("sync-metadata-v6", 23, 18),
    ("test_backup-olden-and-golden", 20, 1), ("test_flx_metadata_tables_v1", 22, 4),
    ("test_shared_decrypt_4k_page", nil, 0), ("test_shared_decrypt_64k_page", nil, 0),
    ("test_upgrade_database_1000_1", 2, 1000), ("test_upgrade_database_1000_10_to_11", 10, 14),
    ("test_upgrade_database_1000_22", 22, 2), ("test_upgrade_database_1000_23", 23, 10022),
    ("test_upgrade_database_11", 11, 28), ("test_upgrade_database_20", 20, 26),
    ("test_upgrade_database_4_10_to_11", 10, 14), ("test_upgrade_database_4_22", 22, 2),
    ("test_upgrade_database_4_23", 23, 62), ("vacuum_no_history_type", 0, 0),
  ]

  @Test(.enabled(if: folder != nil), arguments: old.indices)
  func `each old file is read, or refused in a sentence`(_ index: Int) throws {
    let (name, format, objects) = Self.old[index]
    let path = "\(Self.folder ?? "")/old/\(name).realm"
    guard let format else {
      #expect(throws: RealmFileError.self) { try RealmFile(path: path) }
      return
    }
    let file = try RealmFile(path: path)
    #expect(file.formatVersion == format)
    #expect(file.tables.reduce(0) { $0 + $1.objectCount } == objects)
    for index in file.tables.indices {
      #expect(file.tables[index].error == nil)
      var cursor = try file.objects(of: index)
      let positions = try file.positions(of: index)
      while try cursor.nextBlock() {
        for property in cursor.table.properties.indices {
          #expect(cursor.column(of: property).damages == [])
        }
        for object in 0..<cursor.count {
          #expect(
            try positions.index(of: cursor.key(at: object)) == cursor.firstPosition + object)
        }
      }
    }
  }

  @Test(.enabled(if: folder != nil)) func `files encrypted by old releases are read`() throws {
    let key = [UInt8]("1234567890123456789012345678901123456789012345678901234567890123".utf8)
    for name in ["test_shared_decrypt_4k_page", "test_shared_decrypt_64k_page"] {
      let file = try RealmFile(path: "\(Self.folder ?? "")/old/\(name).realm", key: key)
      #expect(file.formatVersion == 9)
      var cursor = try file.objects(of: 0)
      var objects = 0
      while try cursor.nextBlock() {
        #expect(cursor.column(of: 0).damages == [])
        objects += cursor.count
      }
      #expect(objects == file.tables[0].objectCount)
    }
  }
}
