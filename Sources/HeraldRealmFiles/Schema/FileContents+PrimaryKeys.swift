extension FileContents {
  /// The table of primary keys in formats up to 9, and its columns.
  private static let keyTable = (name: "pk", className: "pk_table", property: "pk_property")

  /// Returns the tables with the primary keys that formats up to 9 have in a table.
  ///
  /// What of that table is damaged is left out.
  func tablesWithPrimaryKeys() -> [RealmClass] {
    var tables = tables
    guard format < 10, let index = tables.firstIndex(where: { $0.tableName == Self.keyTable.name }),
      let names = tables[index].propertyIndex(Self.keyTable.className),
      let properties = tables[index].propertyIndex(Self.keyTable.property),
      var cursor = try? RealmCursor(self, table: index, directory: nil)
    else { return tables }
    let classes = Dictionary(
      tables.indices.filter { !tables[$0].isLibraryTable }.map { (tables[$0].name, $0) },
      uniquingKeysWith: { first, _ in first })
    // Each class has one row; a damaged file can have any number.
    var remaining = tables.count
    while remaining > 0, (try? cursor.nextBlock()) == true {
      for row in 0..<cursor.count where remaining > 0 {
        remaining -= 1
        guard case .string(let name) = try? cursor.value(of: names, at: row),
          case .string(let property) = try? cursor.value(of: properties, at: row),
          let table = classes[name],
          let key = tables[table].propertyIndex(property)
        else { continue }
        tables[table].properties[key].isPrimaryKey = true
      }
    }
    return tables
  }
}
