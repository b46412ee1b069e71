extension RealmFile {
  /// The version of the schema that programs set; nil if the file has none, or it is damaged.
  ///
  /// Cost: one value is read.
  public var schemaVersion: UInt64? {
    guard let index = tables.firstIndex(where: { $0.tableName == "metadata" }),
      let property = tables[index].propertyIndex("version"),
      var cursor = try? objects(of: index), (try? cursor.nextBlock()) == true,
      case .int(let version) = try? cursor.value(of: property, at: 0), version >= 0
    else { return nil }
    return UInt64(version)
  }
}
