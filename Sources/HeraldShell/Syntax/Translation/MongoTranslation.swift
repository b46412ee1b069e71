import Herald

/// Statements of MongoDB's shell.
///
///     db.dogs.find({ age: { $gt: 3 } }).sort({ age: -1 }).limit(5)     Dog where age > 3 sort(age desc) limit(5)
enum MongoTranslation {
  static func statement(_ reader: ForeignReader) -> String? {
    var reader = reader
    if reader.take("use"), let name = reader.name() { return "open \("\(name).hdb".quoted)" }
    guard reader.take("db"), reader.take(".") else { return nil }
    if reader.isAt("createcollection"), let name = created(&reader) {
      return "class \(name) { name: string }"
    }
    if reader.take("getcollectionnames") { return "schema" }
    guard let collection = reader.table(named: methods), let method = call(&reader) else {
      return nil
    }
    var query = TranslatedQuery(origin: collection)
    if let statement = change(method, &query) { return end(&reader, statement) }
    var counts = false
    guard read(method, &query, &counts) else { return nil }
    while reader.take(".") {
      guard let next = call(&reader), read(next, &query, &counts) else { return nil }
    }
    return end(&reader, counts ? "count \(query.members)" : query.statement)
  }

  private static func end(_ reader: inout ForeignReader, _ statement: String) -> String? {
    _ = reader.take(";")
    return reader.isAtEnd ? statement : nil
  }

  /// A call of a method, with the values in its parentheses.
  private struct Call {
    let name: String
    let arguments: [MongoValue]
  }

  private static let methods: Set = [
    "find", "findone", "countdocuments", "count", "distinct", "aggregate", "insertone",
    "insertmany", "insert", "updateone", "updatemany", "update", "deleteone", "deletemany",
    "remove", "drop", "watch", "stats", "getindexes",
    "estimateddocumentcount", "replaceone", "findoneandupdate", "findoneanddelete",
  ]

  private static func created(_ reader: inout ForeignReader) -> String? {
    _ = reader.next()
    guard var inner = reader.bracketed(), let name = inner.next() else { return nil }
    return inner.className(name.text)
  }

  private static func call(_ reader: inout ForeignReader) -> Call? {
    guard let name = reader.name(), reader.first?.text == "(", let inner = reader.bracketed(),
      let arguments = MongoValue.list(inner)
    else { return nil }
    return Call(name: name.lowercased(), arguments: arguments)
  }

  // MARK: Queries

  private static func read(
    _ call: Call, _ query: inout TranslatedQuery, _ counts: inout Bool
  ) -> Bool {
    let first = call.arguments.first
    switch call.name {
    case "find", "findone", "countdocuments", "count":
      if let first {
        guard let condition = first.condition else { return false }
        if !condition.isEmpty { query.add(condition: condition) }
      }
      if call.name == "findone" { query.limit = 1 }
      if call.name.hasPrefix("count") { counts = true }
      guard call.arguments.count > 1, call.name.hasPrefix("find") else { return true }
      guard case .object(let fields) = call.arguments[1] else { return false }
      query.columns = fields.filter { $0.value.text == "1" || $0.value.text == "true" }
        .map { ($0.name, nil) }
    case "estimateddocumentcount", "size", "itcount": counts = true
    case "sort":
      guard case .object(let fields)? = first else { return false }
      query.sort = fields.map { $0.name + ($0.value.text == "-1" ? " desc" : "") }
    case "limit": query.limit = first?.text.flatMap(Int.init)
    case "skip": query.offset = first?.text.flatMap(Int.init)
    case "distinct":
      guard case .text(let name)? = first else { return false }
      query.distinct = [name]
      query.columns = [(name, nil)]
    case "aggregate":
      guard case .array(let stages)? = first else { return false }
      return stages.allSatisfy { read(stage: $0, &query) }
    case "pretty", "toarray", "foreach": break
    case _: return false
    }
    return true
  }

  private static func read(stage: MongoValue, _ query: inout TranslatedQuery) -> Bool {
    guard case .object(let fields) = stage, fields.count == 1 else { return false }
    let value = fields[0].value
    switch fields[0].name {
    case "$match":
      guard let condition = value.condition else { return false }
      if query.groups == nil { query.add(condition: condition) } else { query.having = condition }
    case "$sort":
      guard case .object(let keys) = value else { return false }
      query.sort = keys.map { key in
        (key.name == "_id" ? query.groups?.first ?? "_id" : key.name)
          + (key.value.text == "-1" ? " desc" : "")
      }
    case "$limit": query.limit = value.text.flatMap(Int.init)
    case "$skip": query.offset = value.text.flatMap(Int.init)
    case "$count":
      guard case .text(let name) = value else { return false }
      query.groups = []
      query.columns = [("@count", name)]
    case "$group":
      guard case .object(let fields) = value,
        let id = fields.first(where: { $0.name == "_id" })?.value
      else { return false }
      if case .text(let path) = id {
        query.groups = [String(path.drop { $0 == "$" })]
      } else if id.text == "nil" {
        query.groups = []
      } else {
        return false
      }
      for field in fields where field.name != "_id" {
        guard let aggregate = field.value.aggregate else { return false }
        query.columns.append((aggregate, field.name))
      }
    case _: return false
    }
    return true
  }

  // MARK: Changes

  private static func change(_ call: Call, _ query: inout TranslatedQuery) -> String? {
    let first = call.arguments.first
    switch call.name {
    case "insertone", "insert", "insertmany":
      return first.map { "add \(query.origin) \($0.literal)" }
    case "drop": return "drop \(query.origin)"
    case "watch": return "watch \(query.origin)"
    case "stats", "getindexes": return "schema \(query.origin)"
    case "deleteone", "deletemany", "remove", "findoneanddelete":
      guard let condition = first?.condition, !condition.isEmpty else {
        return "delete \(query.origin)"
      }
      return "delete \(query.origin) where \(condition)"
    case "updateone", "updatemany", "update", "findoneandupdate":
      guard let condition = first?.condition, call.arguments.count > 1,
        case .object(let changes) = call.arguments[1], let fields = assignments(changes)
      else { return nil }
      if !condition.isEmpty { query.add(condition: condition) }
      return "set \(query.members) { \(fields.joined(separator: ", ")) }"
    case _: return nil
    }
  }

  private static func assignments(
    _ changes: [(name: String, value: MongoValue)]
  ) -> [String]? {
    var all: [String] = []
    for change in changes {
      guard case .object(let fields) = change.value else { return nil }
      for field in fields {
        switch change.name {
        case "$set": all.append("\(field.name): \(field.value.literal)")
        case "$inc": all.append("\(field.name): \(field.name) + \(field.value.literal)")
        case "$mul": all.append("\(field.name): \(field.name) * \(field.value.literal)")
        case "$unset": all.append("\(field.name): nil")
        case _: return nil
        }
      }
    }
    return all
  }
}

extension ForeignReader {
  /// Consumes the name of a collection, which may have dots, before the dot of a method.
  fileprivate mutating func table(named methods: Set<String>) -> String? {
    guard let name = name(), take("."), let next = first, methods.contains(next.small) else {
      return nil
    }
    return className(name)
  }
}
