import Herald

/// Commands that are a word and its arguments: those of psql and sqlite3, and of Redis.
enum ConsoleTranslation {
  static func statement(_ text: String, className: (String) -> String) -> String? {
    let words = words(of: text)
    guard let first = words.first, words.count <= 32 else { return nil }
    if first.hasPrefix("\\") {
      return psql(String(first.dropFirst()), Array(words.dropFirst()), className)
    }
    if first.hasPrefix("."), first.count > 1 {
      return sqlite(String(first.dropFirst()), Array(words.dropFirst()), className)
    }
    return redis(first.lowercased(), Array(words.dropFirst()), className)
  }

  /// The words of a command; what is between quotation marks is one.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var rest = text.drop(while: \.isWhitespace)
    while let first = rest.first {
      if first == "'" || first == "\"" {
        let word = rest.dropFirst().prefix { $0 != first }
        words.append(String(word))
        rest = rest[word.endIndex...].dropFirst()
      } else {
        let word = rest.prefix { !$0.isWhitespace && $0 != ";" }
        words.append(String(word))
        rest = rest[word.endIndex...].drop { $0 == ";" }
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }

  /// `\d dog` is `schema Dog`.
  private static func psql(
    _ command: String, _ arguments: [String], _ className: (String) -> String
  ) -> String? {
    let first = arguments.first
    switch command.prefix(while: { $0 != "+" }) {
    case "d", "dt", "dv", "di", "dn": return first.map { "schema \(className($0))" } ?? "schema"
    case "l", "conninfo", "du": return "status"
    case "c", "connect": return first.map { "open \("\($0).hdb".quoted)" }
    case "i", "ir", "include": return first.map { "read \($0.quoted)" }
    case "q", "quit": return "quit"
    case "x": return "mode line"
    case "t", "a": return "mode csv"
    case "H", "html": return "mode markdown"
    case "h", "?", "help": return first.map { "help \($0.lowercased())" } ?? "help"
    case "e", "ef", "edit": return "edit"
    case "s": return "history"
    case "timing": return "timing \(first == "off" ? "off" : "on")"
    case "echo", "qecho", "warn": return "print \(arguments.joined(separator: " ").quoted)"
    case "set":
      guard let first, arguments.count > 1 else { return nil }
      return "let $\(first) = \(literal(arguments[1]))"
    case "copy":
      guard arguments.count > 2, ["from", "to"].contains(arguments[1].lowercased()) else {
        return nil
      }
      let isImport = arguments[1].lowercased() == "from"
      let (name, file) = (className(arguments[0]), arguments[2].quoted)
      return isImport ? "import \(file) into \(name)" : "export \(name) to \(file)"
    case _: return nil
    }
  }

  /// `.import dogs.csv dog` is `import "dogs.csv" into Dog`.
  private static func sqlite(
    _ command: String, _ arguments: [String], _ className: (String) -> String
  ) -> String? {
    let names = arguments.filter { !$0.hasPrefix("-") }
    let first = names.first
    switch command {
    case "tables", "indexes", "indices", "fullschema": return "schema"
    case "schema": return first.map { "schema \(className($0))" } ?? "schema"
    case "databases", "dbinfo", "show", "stats": return "status"
    case "open": return first.map { "open \($0.quoted)" }
    case "read": return first.map { "read \($0.quoted)" }
    case "import":
      guard names.count > 1 else { return nil }
      return "import \(names[0].quoted) into \(className(names[1]))"
    case "dump": return "dump"
    case "backup", "save", "clone": return first.map { "backup to \($0.quoted)" }
    case "restore": return first.map { "open \($0.quoted)" }
    case "mode": return mode(first)
    case "headers", "header": return "mode csv"
    case "timer": return "timing \(first == "off" ? "off" : "on")"
    case "quit", "exit": return "quit"
    case "help": return first.map { "help \($0)" } ?? "help"
    case "print": return "print \(arguments.joined(separator: " ").quoted)"
    case _: return nil
    }
  }

  private static func mode(_ name: String?) -> String? {
    switch name {
    case "line", "csv", "markdown", "json": name.map { "mode \($0)" }
    case "jsonlines": "mode jsonl"
    case "column", "columns", "table", "box", "list", "duckbox": "mode text"
    case _: nil
    }
  }

  /// The form of a word of a command: a number, a constant, or a text.
  fileprivate static func literal(_ word: String) -> String {
    let tokens = ForeignToken.tokens(of: word) ?? []
    return tokens.count == 1 ? tokens[0].literal ?? word.quoted : word.quoted
  }
}

// MARK: Redis

extension ConsoleTranslation {
  /// `hget dog:3 name` is `print Dog#3.name`: before the colon is the class, after it the primary key.
  private static func redis(
    _ command: String, _ arguments: [String], _ className: (String) -> String
  ) -> String? {
    guard let key = arguments.first else { return redis(alone: command) }
    let values = arguments.dropFirst().map(literal)
    let parts = key.split(separator: ":").map(String.init)
    guard parts.count > 1 else { return redis(command, name: key, values, className) }
    let name = className(parts[0])
    if parts[1] == "*" { return ["keys", "scan"].contains(command) ? name : nil }
    let object = "\(name)#\(literal(parts[1]))"
    if parts.count == 3 { return redis(command, collection: "\(object).\(parts[2])", values) }
    let field = arguments.count > 1 ? "\(object).\(arguments[1])" : object
    switch command {
    case "get", "hgetall", "exists", "dump", "type": return "show \(object)"
    case "hget": return "print \(field)"
    case "hset", "hmset", "set", "json.set":
      guard values.count % 2 == 0, !values.isEmpty else { return nil }
      let fields = stride(from: 1, to: arguments.count, by: 2).map {
        "\(arguments[$0]): \(literal(arguments[$0 + 1]))"
      }
      return "set \(object) { \(fields.joined(separator: ", ")) }"
    case "hmget":
      return "show \(name) where self == \(object) "
        + "{ \(arguments.dropFirst().joined(separator: ", ")) }"
    case "hdel": return "\(field) = nil"
    case "hincrby", "hincrbyfloat":
      return arguments.count == 3 ? "\(field) += \(arguments[2])" : nil
    case "del", "unlink": return "delete \(object)"
    case "subscribe", "psubscribe", "watch": return "observe \(object)"
    case _: return nil
    }
  }

  private static func redis(alone command: String) -> String? {
    switch command {
    case "multi": "begin"
    case "exec": "commit"
    case "discard", "unwatch": "rollback"
    case "keys", "scan": "schema"
    case "info", "dbsize", "ping", "role", "lastsave": "status"
    case "monitor": "follow store"
    case "bgsave", "save": "backup to \("backup.hdb".quoted)"
    case "bgrewriteaof": "compact"
    case _: nil
    }
  }

  /// A key that names no object.
  private static func redis(
    _ command: String, name: String, _ values: [String], _ className: (String) -> String
  ) -> String? {
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return command == "keys" || command == "scan" ? "schema" : nil
    }
    return switch command {
    case "get", "type", "exists": "print $\(name)"
    case "set": values.count == 1 ? "let $\(name) = \(values[0])" : nil
    case "incr", "incrby": "$\(name) = $\(name) + \(values.first ?? "1")"
    case "decr", "decrby": "$\(name) = $\(name) - \(values.first ?? "1")"
    case "subscribe", "psubscribe": "observe \(className(name))"
    case _: nil
    }
  }

  /// A list or a set of an object: `lpush dog:3:tags "a"`.
  private static func redis(
    _ command: String, collection: String, _ values: [String]
  ) -> String? {
    let all = values.joined(separator: ", ")
    switch command {
    case "lrange", "smembers", "hgetall", "zrange": return "print \(collection)"
    case "llen", "scard", "hlen", "zcard": return "print \(collection).@count"
    case "sismember": return values.count == 1 ? "print \(all) in \(collection)" : nil
    case "rpush": return values.isEmpty ? nil : "append \(all) to \(collection)"
    case "lpush": return values.isEmpty ? nil : "insert \(all) into \(collection) at 0"
    case "sadd": return values.isEmpty ? nil : "insert \(all) into \(collection)"
    case "srem", "lrem": return values.last.map { "remove \($0) from \(collection)" }
    case "lpop": return "remove \(collection)[0]"
    case "lindex": return values.first.map { "print \(collection)[\($0)]" }
    case "hget": return values.first.map { "print \(collection)[\($0)]" }
    case "hset": return values.count == 2 ? "\(collection)[\(values[0])] = \(values[1])" : nil
    case "del": return "clear \(collection)"
    case _: return nil
    }
  }
}
