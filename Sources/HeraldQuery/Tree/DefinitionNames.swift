package import HeraldModel

/// What the names in a defined query mean.
package struct DefinitionNames {
  package let clauses = ResolvedNames()
  package let columns = ResolvedNames()
  /// Why the query cannot be bound, whatever objects there are; nil if it can. What was resolved before is known.
  package private(set) var error: QueryError?

  package init(_ definition: QueryDefinition, in schema: Schema) {
    do throws(QueryError) {
      let (query, projection) = try BoundQuery.bind(
        definition, schema: schema, names: NoNames(), resolved: clauses)
      var binder = Binder(
        root: query.classID, schema: schema, names: NoNames(), reader: nil, projection: projection,
        notes: BindingNotes(resolved: columns))
      binder.isOfValue = true
      try Self.bind(try definition.columnSyntax(), binder)
    } catch {
      self.error = error
    }
  }

  private static func bind(_ columns: [ColumnSyntax], _ binder: Binder) throws(QueryError) {
    for column in columns {
      if case .test(let predicate) = column.expression.kind {
        _ = try binder.condition(predicate)
      } else {
        _ = try binder.side(column.expression)
      }
    }
  }

  /// The names in both texts.
  package var properties: [ResolvedNames.Property] { clauses.properties + columns.properties }
  package var shared: [ResolvedNames.Property] { clauses.shared + columns.shared }
  package var objects: [ResolvedNames.Object] { clauses.objects + columns.objects }
}

extension QueryDefinition {
  /// Returns the query with the name of a property replaced wherever it means that property.
  package func renaming(
    _ property: PropertyID, of classID: ClassID, to name: String, in schema: Schema
  ) -> QueryDefinition {
    replaced(DefinitionNames(self, in: schema)) { names in
      names.properties.compactMap { found in
        guard found.classID == classID, found.property.id == property else { return nil }
        let length = found.property.name.utf8.count
        return (SourceSpan(start: found.span.end - length, end: found.span.end), name)
      }
    }
  }

  /// Returns the query with the objects that it names by their keys named as `name` returns; those stay for which it
  /// returns nil.
  package func naming(
    _ names: DefinitionNames, _ name: (ResolvedNames.Object) throws -> String?
  ) rethrows -> QueryDefinition {
    try replaced(names) { names in
      try names.objects.compactMap { object in try name(object).map { (object.span, $0) } }
    }
  }

  private func replaced(
    _ names: DefinitionNames, _ texts: (ResolvedNames) throws -> [(SourceSpan, String)]
  ) rethrows -> QueryDefinition {
    QueryDefinition(
      name: name, origin: origin, clauses: clauses.replacing(try texts(names.clauses)),
      columns: columns.replacing(try texts(names.columns)))
  }
}

extension String {
  /// Returns the text with spans replaced, some of which may be given more than once.
  fileprivate func replacing(_ spans: [(SourceSpan, String)]) -> String {
    var bytes = Array(utf8)
    var end = bytes.count
    for (span, text) in spans.sorted(by: { $0.0.start > $1.0.start }) where span.end <= end {
      bytes.replaceSubrange(span.start..<span.end, with: text.utf8)
      end = span.start
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
