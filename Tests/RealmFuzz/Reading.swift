import HeraldRealmFiles

/// Reads everything that a file has.
struct Reading {
  /// Files that could be opened.
  private(set) var opened = 0
  /// Values that were read, those in collections counted.
  private(set) var values = 0
  /// Values, blocks and files that could not be read.
  private(set) var errors = 0

  /// Reads a file.
  mutating func read(_ bytes: [UInt8], key: [UInt8]?) {
    for state in [RealmFileState.newest, .previous] {
      do {
        let file = try RealmFile(bytes: bytes, key: key, state: state)
        opened += 1
        _ = file.schemaVersion
        for index in file.tables.indices { try read(file, index) }
      } catch {
        errors += 1
        _ = "\(error)"
      }
    }
  }

  private mutating func read(_ file: RealmFile, _ index: Int) throws {
    guard var cursor = try? file.objects(of: index) else {
      errors += 1
      return
    }
    while true {
      do {
        guard try cursor.nextBlock() else { return }
      } catch {
        errors += 1
        continue
      }
      for property in cursor.table.properties.indices {
        var last = RealmValue.null
        var start = 0
        while start < cursor.count {
          let column = cursor.column(of: property, from: start)
          errors += column.damages.count
          for damage in column.damages.prefix(2) { _ = "\(damage.error)" }
          for value in column.values { count(value) }
          start = column.indices.upperBound
          last = column.values.last ?? .null
        }
        _ = try? cursor.integers(of: property)
        _ = try? cursor.doubles(of: property)
        if case .link(let link) = last {
          _ = try? file.positions(of: link.classIndex).index(of: link.objectKey)
        }
        if cursor.count > 0 {
          _ = try? cursor.value(of: property, at: cursor.count - 1)
          _ = try? cursor.textBytes(of: property, at: 0)
        }
      }
      if cursor.count > 0 {
        _ = try? file.positions(of: index).index(of: cursor.key(at: cursor.count - 1))
        _ = try? cursor.move(toPosition: cursor.firstPosition)
      }
    }
  }

  private mutating func count(_ value: RealmValue) {
    values += 1
    switch value {
    case .list(let elements), .set(let elements): for element in elements { count(element) }
    case .dictionary(let entries): for entry in entries { count(entry.value) }
    case .null, .bool, .int, .float, .double, .string, .data, .timestamp, .decimal, .uuid,
      .objectID, .link:
      break
    }
  }
}
