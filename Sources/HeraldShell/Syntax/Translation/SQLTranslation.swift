import Herald

/// Statements of SQL.
enum SQLTranslation {
  static func statement(_ reader: ForeignReader) -> String? {
    var reader = reader
    let text: String?
    if reader.take("explain query plan", "explain analyze", "explain") {
      text = select(&reader).map { "explain \($0.rows)" }
    } else if reader.isAt("select", "from") {
      text = select(&reader)?.statement ?? value(&reader)
    } else {
      text = change(&reader)
    }
    _ = reader.take(";")
    return reader.isAtEnd ? text : nil
  }

  /// A query with clauses after it that SQL has in another form.
  static func query(_ base: String, clauses: ForeignReader) -> String? {
    var reader = clauses
    var query = TranslatedQuery(origin: base)
    guard readClauses(&query, &reader, SQLScope()), reader.isAtEnd else { return nil }
    return query.statement
  }

  /// `select 1 + 1`: without a table.
  private static func value(_ reader: inout ForeignReader) -> String? {
    guard reader.take("select") else { return nil }
    return SQLExpression.read(&reader, SQLScope()).map { "print \($0)" }
  }

  /// A query; nil, and nothing consumed, if a part of it has no counterpart.
  static func select(_ reader: inout ForeignReader) -> TranslatedQuery? {
    var ahead = reader
    var columns: [(expression: String, name: String?)] = []
    var query = TranslatedQuery(origin: "")
    var scope = SQLScope()
    if ahead.take("select") {
      let isDistinct = ahead.take("distinct")
      if ahead.take("top") { query.limit = ahead.integer() }
      var list = ahead
      guard ahead.skip(to: "from"), ahead.take("from"),
        readTables(&ahead, &query, &scope), let found = readColumns(&list, scope)
      else { return nil }
      columns = found
      if isDistinct { query.distinct = columns.map(\.expression) }
    } else if !ahead.take("from") || !readTables(&ahead, &query, &scope) {
      return nil
    }
    query.columns = columns
    query.isShown = true
    guard readClauses(&query, &ahead, scope) else { return nil }
    reader = ahead
    return query
  }

  private static let clauses: Set = [
    "where", "group", "having", "order", "limit", "offset", "fetch", "union", "window", "from",
    "left", "right", "inner", "outer", "full", "cross", "natural", "join", "on", "using", "take",
    "sort", "skip",
  ]

  /// What is selected; empty for all.
  private static func readColumns(
    _ reader: inout ForeignReader, _ scope: SQLScope
  ) -> [(expression: String, name: String?)]? {
    var columns: [(expression: String, name: String?)] = []
    repeat {
      if reader.take("*") { continue }
      if reader.second?.text == ".", case var ahead = reader, ahead.name() != nil, ahead.take("."),
        ahead.take("*")
      {
        reader = ahead
        continue
      }
      guard let expression = SQLExpression.read(&reader, scope, until: ["as", "from"]) else {
        return nil
      }
      let isNamed = reader.take("as") || reader.first?.kind == .word && !reader.isAt("from")
      columns.append((expression, isNamed ? reader.name() : nil))
    } while reader.take(",")
    return reader.isAt("from") ? columns : nil
  }

  private static func readTables(
    _ reader: inout ForeignReader, _ query: inout TranslatedQuery, _ scope: inout SQLScope
  ) -> Bool {
    guard case let name = reader.first?.text, let origin = reader.table() else { return false }
    query.origin = origin
    for alias in [name, origin, alias(&reader)] { scope.add(alias, path: "") }
    while reader.isAt("left", "right", "inner", "outer", "full", "cross", "join") {
      while reader.take("left", "right", "inner", "outer", "full", "cross") {}
      guard reader.take("join"), case let table = reader.first?.text,
        let joined = reader.table()
      else { return false }
      let alias = alias(&reader)
      var link = joined.prefix(1).lowercased() + joined.dropFirst()
      if reader.take("on") {
        guard let condition = SQLExpression.read(&reader, scope, until: clauses) else {
          return false
        }
        // `o.customer_id == c.id` is most likely the link `customer`.
        if let key = condition.split(separator: " ").first(where: { $0.hasSuffix("_id") }) {
          link = key.dropLast(3).split(separator: ".").last.map(String.init) ?? link
        }
      } else if reader.take("using"), reader.bracketed() == nil {
        return false
      }
      for name in [table, joined, alias] { scope.add(name, path: link) }
    }
    return true
  }

  private static func alias(_ reader: inout ForeignReader) -> String? {
    if reader.take("as") { return reader.name() }
    guard let first = reader.first, first.kind == .word, !clauses.contains(first.small) else {
      return nil
    }
    return reader.name()
  }

  private static func readClauses(
    _ query: inout TranslatedQuery, _ reader: inout ForeignReader, _ scope: SQLScope
  ) -> Bool {
    var scope = scope
    if reader.take("where", "filter") {
      guard let condition = SQLExpression.read(&reader, scope, until: clauses) else { return false }
      query.add(condition: condition)
    }
    if reader.take("group by", "groupby") {
      guard let keys = readList(&reader, scope) else { return false }
      query.groups = keys.map { key in
        let place = Int(key).flatMap { query.columns.indices.contains($0 - 1) ? $0 - 1 : nil }
        return place.map { query.columns[$0].expression } ?? key
      }
    } else if query.columns.contains(where: { $0.expression.hasPrefix("@") }),
      query.columns.count > 1 || query.columns[0].expression != "@count"
    {
      query.groups = []
    }
    if query.groups != nil, !query.nameGroups() { return false }
    var used: [String] = []
    if query.groups != nil {
      scope.columnOfAggregate = { [query] aggregate in
        used.append(aggregate)
        return query.column(aggregate)
      }
    }
    if reader.take("having") {
      guard query.groups != nil,
        let condition = SQLExpression.read(&reader, scope, until: clauses)
      else { return false }
      query.having = condition
    }
    if reader.take("order by", "sort by", "orderby", "sort") {
      guard readOrder(&query, &reader, scope) else { return false }
    }
    for aggregate in used where !query.columns.contains(where: { $0.expression == aggregate }) {
      query.columns.append((aggregate, nil))
    }
    while reader.isAt("limit", "offset", "fetch", "skip", "take") {
      if reader.take("offset", "skip") {
        query.offset = reader.integer()
        _ = reader.take("rows", "row")
      } else if reader.take("limit", "take", "fetch first", "fetch next") {
        query.limit = reader.integer()
        if reader.take(",") { (query.offset, query.limit) = (query.limit, reader.integer()) }
        _ = reader.take("rows only", "row only")
      } else {
        return false
      }
    }
    return true
  }

  private static func readList(_ reader: inout ForeignReader, _ scope: SQLScope) -> [String]? {
    var all: [String] = []
    repeat {
      guard let next = SQLExpression.read(&reader, scope, until: clauses) else { return nil }
      all.append(next)
    } while reader.take(",")
    return all
  }

  private static func readOrder(
    _ query: inout TranslatedQuery, _ reader: inout ForeignReader, _ scope: SQLScope
  ) -> Bool {
    let ends = clauses.union(["asc", "desc", "nulls", "collate", "descending", "ascending"])
    repeat {
      guard let key = SQLExpression.read(&reader, scope, until: ends) else { return false }
      _ = reader.take("collate nocase")
      let direction = reader.take("desc", "descending") ? " desc" : ""
      _ = reader.take("asc", "ascending")
      _ = reader.take("nulls first", "nulls last")
      query.sort.append(query.sortKey(key) + direction)
    } while reader.take(",")
    return true
  }
}

extension SQLScope {
  fileprivate mutating func add(_ name: String?, path: String) {
    if let name { paths[name.lowercased()] = path }
  }
}

extension TranslatedQuery {
  /// Takes the columns of the keys out of those that are shown; returns false if another one is no aggregate.
  fileprivate mutating func nameGroups() -> Bool {
    guard let keys = groups else { return true }
    groups = keys.map { key in
      let name = columns.first { $0.expression == key }?.name
      return name.map { "\(key) as \($0)" } ?? key
    }
    columns.removeAll { keys.contains($0.expression) }
    return columns.allSatisfy { $0.expression.hasPrefix("@") }
  }

  /// The name of the column of an aggregate, which is added if there is none.
  fileprivate func column(_ aggregate: String) -> String {
    columns.first { $0.expression == aggregate }?.name ?? Self.name(of: aggregate)
  }

  /// What a key of an order is here: a column may be named by its place, or by its other name.
  fileprivate func sortKey(_ key: String) -> String {
    let place = Int(key).flatMap { columns.indices.contains($0 - 1) ? $0 - 1 : nil }
    guard let column = place.map({ columns[$0] }) ?? columns.first(where: { $0.name == key })
    else { return key }
    return groups == nil ? column.expression : column.name ?? Self.name(of: column.expression)
  }
}
