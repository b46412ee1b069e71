import Herald

extension SQLTranslation {
  /// A statement that changes rows or classes, or that says what there is.
  static func change(_ reader: inout ForeignReader) -> String? {
    if reader.take("insert or replace into", "replace into", "insert or ignore into") {
      return insert("upsert", &reader)
    }
    if reader.take("insert into") { return insert("add", &reader) }
    if reader.take("update") { return update(&reader) }
    if reader.take("delete from") { return delete(&reader) }
    if reader.take("truncate table", "truncate") { return reader.table().map { "delete \($0)" } }
    if reader.take(
      "create table if not exists", "create temp table", "create temporary table", "create table")
    {
      return create(&reader)
    }
    if reader.take("create view", "create or replace view") { return view(&reader) }
    if reader.take("alter table") { return alter(&reader) }
    if reader.take("drop table if exists", "drop table", "drop view if exists", "drop view") {
      return reader.table().map { "drop \($0)" }
    }
    if reader.take(
      "describe table", "desc table", "show columns from", "show fields from", "show create table",
      "show index from", "pragma table_info", "pragma table_xinfo")
    {
      if reader.first?.text == "(", var inner = reader.bracketed() {
        return inner.table().map { "schema \($0)" }
      }
      return reader.table().map { "schema \($0)" }
    }
    if reader.take("copy") { return copy(&reader) }
    return nil
  }

  /// `insert into dog (name, age) values ('Max', 3), ('Rex', 4)`
  private static func insert(_ word: String, _ reader: inout ForeignReader) -> String? {
    guard let table = reader.table(), reader.first?.text == "(", let names = reader.bracketed(),
      let columns = SQLExpression.list(names, SQLScope()), reader.take("values", "value")
    else { return nil }
    var rows: [String] = []
    repeat {
      guard reader.first?.text == "(",
        let values = SQLExpression.list(reader.bracketed(), SQLScope()),
        values.count == columns.count
      else { return nil }
      let fields = zip(columns, values).map { "\($0): \($1)" }
      rows.append("{ \(fields.joined(separator: ", ")) }")
    } while reader.take(",")
    if rows.count == 1 { return "\(word) \(table) \(rows[0])" }
    return word == "add" ? "add \(table) [\(rows.joined(separator: ", "))]" : nil
  }

  /// `update dog set age = age + 1 where name = 'Max'`
  private static func update(_ reader: inout ForeignReader) -> String? {
    guard let table = reader.table(), reader.take("set") else { return nil }
    var fields: [String] = []
    repeat {
      guard let name = reader.name(), reader.take("="),
        let value = SQLExpression.read(&reader, SQLScope(), until: ["where"])
      else { return nil }
      fields.append("\(name): \(value)")
    } while reader.take(",")
    guard let members = members(of: table, &reader) else { return nil }
    return "set \(members) { \(fields.joined(separator: ", ")) }"
  }

  private static func delete(_ reader: inout ForeignReader) -> String? {
    guard let table = reader.table(), let members = members(of: table, &reader) else { return nil }
    return "delete \(members)"
  }

  private static func members(of table: String, _ reader: inout ForeignReader) -> String? {
    guard reader.take("where") else { return table }
    return SQLExpression.read(&reader, SQLScope(paths: [table.lowercased(): ""])).map {
      "\(table) where \($0)"
    }
  }

  /// `create table dog (id integer primary key, name text not null, age int)`
  private static func create(_ reader: inout ForeignReader) -> String? {
    guard let table = reader.table(), reader.first?.text == "(", var inner = reader.bracketed()
    else { return nil }
    _ = reader.take("strict", "without rowid")
    var properties: [String] = []
    repeat {
      if inner.isAt("primary", "foreign", "constraint", "unique", "check", "key") { return nil }
      guard let property = property(&inner) else { return nil }
      properties.append(property)
    } while inner.take(",")
    guard inner.isAtEnd else { return nil }
    return "class \(table) { \(properties.joined(separator: "; ")) }"
  }

  /// `name text not null`
  private static func property(_ reader: inout ForeignReader) -> String? {
    guard let name = reader.name() else { return nil }
    var type = reader.name().map { TypeKeyword.counterpart(of: $0) ?? $0.lowercased() } ?? "any"
    if reader.first?.text == "(" { _ = reader.bracketed() }
    _ = reader.take("precision", "varying", "unsigned")
    var isOptional = type != "any"
    var rest = ""
    while !reader.isAtEnd, !reader.isAt(",") {
      if reader.take("primary key") {
        rest += " primary"
        isOptional = false
      } else if reader.take("not null") {
        isOptional = false
      } else if reader.take("unique") {
        rest += " indexed"
      } else if reader.take("default") {
        guard let value = reader.next()?.literal else { return nil }
        rest = " = \(value)" + rest
      } else if reader.take("references") {
        guard let target = reader.table() else { return nil }
        if reader.first?.text == "(" { _ = reader.bracketed() }
        let isKey = name.lowercased().hasSuffix("_id")
        (type, isOptional, rest) = (target, false, "")
        if isKey { return "\(name.dropLast(3)): \(type)" }
      } else if !reader.take("null", "autoincrement", "auto_increment") {
        return nil
      }
    }
    return "\(name): \(type)\(isOptional ? "?" : "")\(rest)"
  }

  /// `create view old as select * from dog where age > 9`
  private static func view(_ reader: inout ForeignReader) -> String? {
    guard let name = reader.name(), reader.take("as"), let query = select(&reader),
      query.groups == nil, query.columns.isEmpty
    else { return nil }
    return "define \(name) as \(query.rows)"
  }

  private static func alter(_ reader: inout ForeignReader) -> String? {
    guard let table = reader.table() else { return nil }
    let change: String?
    if reader.take("add column", "add") {
      change = property(&reader).map { "add \($0)" }
    } else if reader.take("drop column", "drop") {
      change = reader.name().map { "drop \($0)" }
    } else if reader.take("rename column", "rename"), let name = reader.name(), reader.take("to") {
      change = reader.name().map { "rename \(name) to \($0)" }
    } else {
      change = nil
    }
    return change.map { "alter \(table) { \($0) }" }
  }

  /// `copy dog from 'dogs.csv'`, `copy dog to 'dogs.csv'`
  private static func copy(_ reader: inout ForeignReader) -> String? {
    let source: String?
    if reader.first?.text == "(", var inner = reader.bracketed() {
      source = select(&inner)?.rows
    } else {
      source = reader.table()
    }
    guard let source else { return nil }
    let isImport = reader.take("from")
    guard isImport || reader.take("to"), let file = reader.next(), file.kind == .text else {
      return nil
    }
    while !reader.isAtEnd, reader.next() != nil {}
    return isImport
      ? "import \(file.text.quoted) into \(source)" : "export \(source) to \(file.text.quoted)"
  }
}
