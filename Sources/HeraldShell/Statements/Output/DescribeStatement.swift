import Herald

/// `describe Dog where age > 3`: a row for each property that has plain values.
struct DescribeStatement: StatementForm {
  static let command = Command(
    "describe", ["describe QUERY"], "show what values the properties of objects have",
    [
      "There is one row for each property but links and collections, in the order of the schema: of how many objects, how "
        + "many of these have no value, how many different values there are, the smallest and the largest, and of numbers "
        + "the mean and the median. Of a projection it is one row for each field."
    ],
    examples: ["describe Dog where age > 3"],
    parse: { parser throws(ShellError) in Self(query: try parser.query()) })

  private static let names = [
    "property", "type", "count", "nil", "distinct", "min", "max", "mean", "median",
  ]
  private static let aggregates: [CollectionOperation] = [
    .distinct, .min, .max, .average, .median,
  ]

  let query: QuerySyntax

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    let resolved = try context.resolve(query)
    let results = try context.asking(at: resolved.store) { names in
      try context.objectRows(resolved, query, names)
    }
    let count = try results.count
    let rows = try columns(of: results).map { name, column in
      try context.checkInterruption(query.span)
      let found = try aggregates(of: column, results)
      return [
        .string(name), .string(results.store.schema.name(of: column.valueType)), .int(count),
        .int(count - found.present),
      ] + found.values
    }
    try RowPrinter(context: context).show(rows.count, Self.names, of: results.store) { rows[$0] }
  }

  /// The properties of the class, or the fields of the projection, that have plain values.
  private func columns(
    of results: DynamicResults
  ) throws -> [(name: String, column: DynamicResults.Column)] {
    let fields =
      results.projection?.fields.map { ($0.name, $0.path) }
      ?? results.store.schema.classSchema(results.classID)?.properties.map { ($0.name, $0.name) }
      ?? []
    return fields.compactMap { name, path in
      guard let column = try? results.column(path), column.type.isPlain else { return nil }
      return (name, column)
    }
  }

  /// How many objects have a value, and what there is of each aggregate, nil of one that is not for such values.
  private func aggregates(
    of column: DynamicResults.Column, _ results: DynamicResults
  ) throws -> (present: Int, values: [Value]) {
    let element = column.type.element
    let wanted = Self.aggregates.filter { operation in
      // An `any` may hold numbers among others, of which a mean says little.
      operation.function.accepts(element) && (element != .any || !operation.isOfNumbers)
    }
    let found = try results.aggregates(wanted, of: column)
    let values = Self.aggregates.map { operation in
      wanted.firstIndex(of: operation).map { found.values[$0] } ?? .null
    }
    return (found.present, values)
  }
}

extension CollectionOperation {
  fileprivate var isOfNumbers: Bool { self == .average || self == .median }
}

extension DynamicResults.Column {
  /// The type of its values: behind a link, which may lead nowhere, they may be nil.
  fileprivate var valueType: PropertyType {
    path.steps.count > 1
      ? PropertyType(type.element, shape: type.shape, isOptional: true) : type
  }
}

extension PropertyType {
  fileprivate var isPlain: Bool { shape == .single && linkedClass == nil }
}
