import Herald

extension Importing {
  /// What a name that is none of a class's properties is called, of one or of several.
  func unknown(_ names: [String], of classSchema: ClassSchema) -> String {
    let properties = classSchema.properties.map(\.name)
    if names.count == 1 {
      return HeraldError.unknownProperty(
        names[0].shortened, className: classSchema.name,
        nearest: nearestName(to: names[0], in: properties)
      ).message
    }
    let texts = names.prefix(Self.mostNamed).map { name in
      let nearest = nearestName(to: name, in: properties)
      return "'\(name.shortened)'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
    }
    let more = names.count - texts.count
    let last = more > 0 ? "\(more) more" : texts[texts.count - 1]
    let first = more > 0 ? texts[...] : texts.dropLast()
    return
      "class '\(classSchema.name)' has no properties \(first.joined(separator: ", ")) and \(last)"
  }

  /// The names that a message lists.
  private static let mostNamed = 20

  /// The error of a file whose header has unknown columns, all of them.
  func unknownColumns(_ names: [String]) -> Diagnostic {
    let position = Position(line: 1, record: 0, property: names[0])
    return Diagnostic.importing(
      file: file, position: names.count == 1 ? position.text : "line 1",
      reason: unknown(names, of: classSchema))
  }

  /// The error of a record with unknown columns, with those of all records after it.
  mutating func unknownColumns(
    _ names: [String], in row: Row, _ reader: inout ImportReader
  ) throws -> Diagnostic {
    var all = names
    var known = KeySet(names)
    // A later record that cannot be read is another error.
    while let record = try? reader.next() {
      for entry in record.entries {
        guard case .unknown(let name) = plan.target(of: entry.name), known.insert(name) else {
          continue
        }
        all.append(name)
      }
    }
    let position =
      all.count == 1
      ? row.position(all[0]).text : "line \(row.line), record \(row.number)"
    return Diagnostic.importing(
      file: file, position: position, reason: unknown(all, of: classSchema))
  }

  /// Checks that the columns which the statement names are in the file.
  func checkNamed(_ columns: [String]) throws {
    let known = KeySet(columns)
    for entry in plan.choice.entries where !known.contains(entry.column) {
      throw Diagnostic.noColumn(
        entry.column.shortened, file: file, nearest: nearestColumn(to: entry.column, in: columns))
    }
  }
}

/// Returns the column that a name most likely means: in a file without a header the first is 'column1'.
func nearestColumn(to name: String, in columns: [String]) -> String? {
  let numbered = "column\(name)"
  return columns.contains(numbered) ? numbered : nearestName(to: name, in: columns)
}
