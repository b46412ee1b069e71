import Herald

/// How statements of other languages and shells begin, and what stands for them here.
enum ForeignCommand {
  /// The words of a statement here in place of one that begins with these words; nil if it is none of these.
  ///
  /// - Parameters:
  ///   - words: The first words, or signs, of the statement.
  ///   - className: The class that the statement names; nil if it names none.
  static func counterpart(of words: [String], className: String?) -> (count: Int, text: String)? {
    for count in [2, 1] where words.count >= count {
      let phrase = words.prefix(count).map { $0.lowercased() }.joined(separator: " ")
      if let text = counterparts[phrase] {
        return (count, text.replacing("CLASS", with: className ?? "CLASS"))
      }
    }
    return nil
  }

  /// Whether the name of a class may follow a word of SQL.
  static func precedesClass(_ word: String) -> Bool {
    ["from", "into", "table", "update", "view"].contains(word.lowercased())
  }

  private static let counterparts = [
    "insert into": "add CLASS { … }", "replace into": "upsert CLASS { … }",
    "merge into": "upsert CLASS { … }", "delete from": "delete CLASS where …",
    "truncate table": "delete CLASS", "update": "set CLASS where … { … }",
    "create table": "class CLASS { name: string }", "create view": "define CLASS as QUERY",
    "create index": "class CLASS { name: string indexed }", "create database": "open FILE",
    "alter table": "alter CLASS { add name: string }", "drop table": "drop CLASS",
    "drop view": "drop CLASS", "describe table": "schema CLASS",
    "show *": "show CLASS", "show tables": "schema", "show classes": "schema",
    "show collections": "schema", "show columns": "schema CLASS", "show fields": "schema CLASS",
    "show create": "schema CLASS", "show databases": "status", "show dbs": "status",
    "show processlist": "sessions", "show history": "history", "show tokens": "tokens",
    "show observers": "tokens", "show sessions": "sessions", "show log": "log",
    "show version": "version", "show status": "status", "show schema": "schema",
    "list tables": "schema", "list classes": "schema", "from": "show CLASS",
    "count *": "count CLASS", "count rows": "count CLASS",
    "order by": "CLASS sort(…)", "sort by": "CLASS sort(…)",
    "group by": "group CLASS by … { n: @count }", "join": "CLASS where link.property == …",
    "begin transaction": "begin", "begin work": "begin", "start transaction": "begin",
    "commit transaction": "commit", "commit work": "commit", "end transaction": "commit",
    "rollback transaction": "rollback", "rollback work": "rollback",
    "explain select": "explain CLASS where …", "explain analyze": "explain CLASS where …",
    "load data": "import FILE into CLASS", "copy": "import FILE into CLASS",
    "restore": "open FILE", "var": "let $x = …", "const": "let $x = …",
    "foreach": "for $x in … { … }",
    "while": "for $x in … { … }",
    "\\o": "export QUERY to FILE", "\\copy": "import FILE into CLASS",
    "\\watch": "watch QUERY", "\\set": "let $x = …",
    ".import": "import FILE into CLASS", ".restore": "open FILE", ".save": "backup to FILE",
  ]
}

/// Methods of objects and collections in other languages, and the statements that stand for them here.
enum ForeignMethod {
  /// The statement here in place of the call of a method; nil for an unknown method.
  static func counterpart(of method: String, receiver: String) -> String? {
    counterparts[method.lowercased()].map { $0.replacing("IT", with: receiver) }
  }

  private static let counterparts = [
    "count": "count IT", "size": "count IT", "length": "count IT", "countdocuments": "count IT",
    "find": "IT where …", "findone": "IT where …", "filter": "IT where …", "where": "IT where …",
    "all": "show IT", "get": "show IT", "toarray": "show IT", "fetch": "show IT",
    "sort": "IT sort(…)", "sorted": "IT sort(…)", "orderby": "IT sort(…)", "order_by": "IT sort(…)",
    "limit": "IT limit(1)", "take": "IT limit(1)", "first": "IT limit(1)", "head": "IT limit(1)",
    "skip": "IT offset(1)", "distinct": "IT distinct(…)", "select": "IT { … }",
    "insert": "add IT { … }", "insertone": "add IT { … }", "insertmany": "add IT [ { … } ]",
    "add": "add IT { … }", "create": "add IT { … }", "save": "add IT { … }",
    "update": "set IT { … }", "updateone": "set IT where … { … }",
    "updatemany": "set IT where … { … }", "set": "set IT { … }",
    "delete": "delete IT", "remove": "delete IT", "deleteone": "delete IT where …",
    "deletemany": "delete IT where …", "drop": "drop IT",
    "aggregate": "group IT by … { n: @count }", "groupby": "group IT by … { n: @count }",
    "group": "group IT by … { n: @count }", "foreach": "for $x in IT { … }",
    "map": "for $x in IT { … }", "each": "for $x in IT { … }",
    "observe": "observe IT", "watch": "watch IT", "subscribe": "observe IT",
  ]
}
