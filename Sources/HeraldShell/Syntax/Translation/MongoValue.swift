import Herald

/// A value in a statement of MongoDB's shell.
indirect enum MongoValue {
  case object([(name: String, value: MongoValue)])
  case array([MongoValue])
  case text(String)
  /// A number or a constant, as it is written here.
  case plain(String)
  /// A regular expression.
  case pattern(String)

  /// Values with commas between them; nil if there is something else.
  static func list(_ reader: ForeignReader) -> [MongoValue]? {
    var reader = reader
    var all: [MongoValue] = []
    while !reader.isAtEnd {
      guard let value = read(&reader) else { return nil }
      all.append(value)
      if !reader.isAtEnd, !reader.take(",") { return nil }
    }
    return all
  }

  private static func read(_ reader: inout ForeignReader) -> MongoValue? {
    guard let token = reader.first else { return nil }
    switch (token.kind, token.text) {
    case (.sign, "{"): return reader.bracketed().flatMap(object)
    case (.sign, "["): return reader.bracketed().flatMap(list).map { .array($0) }
    case (.sign, "/"): return pattern(&reader)
    case (.text, _):
      _ = reader.next()
      return .text(token.text)
    case (.word, "ObjectId"), (.word, "ISODate"), (.word, "NumberInt"), (.word, "NumberLong"):
      _ = reader.next()
      return reader.bracketed().flatMap(list)?.first
    case (.word, "new"):
      _ = reader.next()
      return read(&reader)
    case (.number, _), (.word, _):
      _ = reader.next()
      return token.literal.map { .plain($0) }
    case (.sign, _): return nil
    }
  }

  private static func object(_ reader: ForeignReader) -> MongoValue? {
    var reader = reader
    var fields: [(name: String, value: MongoValue)] = []
    while !reader.isAtEnd {
      guard let name = reader.next(), name.kind != .sign, reader.take(":"),
        let value = read(&reader)
      else { return nil }
      fields.append((name.text, value))
      if !reader.isAtEnd, !reader.take(",") { return nil }
    }
    return .object(fields)
  }

  private static func pattern(_ reader: inout ForeignReader) -> MongoValue? {
    _ = reader.next()
    var text = ""
    while let token = reader.next(), token.text != "/" {
      text += (token.isJoined || text.isEmpty ? "" : " ") + token.text
    }
    if reader.first?.isJoined ?? false { _ = reader.take("i") }
    return .pattern(text)
  }

  /// The number or the constant; nil for another value.
  var text: String? { if case .plain(let text) = self { text } else { nil } }

  /// The value as it is written here.
  var literal: String {
    switch self {
    case .object(let fields):
      "{ \(fields.map { "\($0.name): \($0.value.literal)" }.joined(separator: ", ")) }"
    case .array(let values): "[\(values.map(\.literal).joined(separator: ", "))]"
    case .text(let text), .pattern(let text):
      ForeignToken(kind: .text, text: text).literal ?? text.quoted
    case .plain(let text): text
    }
  }

  /// What an aggregate of a group is here; nil for one that is unknown.
  var aggregate: String? {
    guard case .object(let fields) = self, fields.count == 1 else { return nil }
    let names = [
      "$sum": "@sum", "$avg": "@avg", "$min": "@min", "$max": "@max", "$count": "@count",
      "$median": "@median", "$stdDevSamp": "@stddev",
    ]
    guard let name = names[fields[0].name] else { return nil }
    switch fields[0].value {
    case .text(let path): return "\(name).\(path.drop { $0 == "$" })"
    case .plain("1") where name == "@sum": return "@count"
    case .object(let none) where none.isEmpty: return name
    case .plain, .object, .array, .pattern: return nil
    }
  }
}

// MARK: Conditions

extension MongoValue {
  /// The condition that an object is as a filter, empty for all; nil if a part of it has no counterpart.
  var condition: String? {
    guard case .object(let fields) = self else { return nil }
    var parts: [String] = []
    for (name, value) in fields {
      guard let part = Self.condition(name, value) else { return nil }
      parts.append(part)
    }
    return parts.joined(separator: " and ")
  }

  private static func condition(_ name: String, _ value: MongoValue) -> String? {
    switch (name, value) {
    case ("$and", .array(let all)), ("$or", .array(let all)), ("$nor", .array(let all)):
      let parts = all.compactMap(\.condition)
      guard parts.count == all.count, !parts.isEmpty else { return nil }
      let text = parts.joined(separator: name == "$and" ? " and " : " or ")
      return name == "$nor" ? "not (\(text))" : "(\(text))"
    case (_, .object(let tests)):
      let parts = tests.compactMap { test(name, $0.name, $0.value) }
      return parts.count == tests.count ? parts.joined(separator: " and ") : nil
    case (_, .pattern(let text)): return match(name, text)
    case (_, .text), (_, .plain), (_, .array): return "\(name) == \(value.literal)"
    }
  }

  private static func test(_ name: String, _ word: String, _ value: MongoValue) -> String? {
    let signs = [
      "$eq": "==", "$ne": "!=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<=",
    ]
    if let sign = signs[word] { return "\(name) \(sign) \(value.literal)" }
    switch (word, value) {
    case ("$in", .array(let values)): return "\(name) in {\(list(values))}"
    case ("$nin", .array(let values)): return "not \(name) in {\(list(values))}"
    case ("$exists", _): return "\(name) \(value.text == "false" ? "==" : "!=") nil"
    case ("$regex", .text(let text)), ("$regex", .pattern(let text)): return match(name, text)
    case ("$not", .object(let tests)):
      let parts = tests.compactMap { test(name, $0.name, $0.value) }
      return parts.count == tests.count ? "not (\(parts.joined(separator: " and ")))" : nil
    case ("$size", .plain(let number)): return "\(name).@count == \(number)"
    case _: return nil
    }
  }

  private static func list(_ values: [MongoValue]) -> String {
    values.map(\.literal).joined(separator: ", ")
  }

  private static func match(_ name: String, _ pattern: String) -> String {
    let plain = pattern.drop { $0 == "^" }
    guard plain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " }) else {
      return "\(name) matches \(".*\(pattern).*".quoted)"
    }
    return "\(name) \(pattern.hasPrefix("^") ? "beginswith" : "contains") \(String(plain).quoted)"
  }
}
