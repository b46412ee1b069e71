import Herald

/// What the names in an expression of SQL mean.
struct SQLScope {
  /// The path that stands for a table or for its other name, in small letters: empty for the class that is queried.
  var paths: [String: String] = [:]
  /// The name of the column that an aggregate has; nil where aggregates stand as they are.
  var columnOfAggregate: ((String) -> String)?

  /// A path without the name of the table.
  func path(_ names: [String]) -> String {
    guard names.count > 1, let path = paths[names[0].lowercased()] else {
      return names.joined(separator: ".")
    }
    return ((path.isEmpty ? [] : [path]) + names.dropFirst()).joined(separator: ".")
  }
}

/// An expression of SQL, as it is written here.
struct SQLExpression {
  private let scope: SQLScope
  private var pieces: [String] = []
  /// Where the comparison that is being read begins.
  private var comparison = 0
  /// Whether it may end here: its last part is no operator.
  private var isComplete = false

  private init(_ scope: SQLScope) { self.scope = scope }

  /// Reads an expression up to a comma or one of these words; nil if a part of it has no counterpart.
  static func read(
    _ reader: inout ForeignReader, _ scope: SQLScope, until ends: Set<String> = []
  ) -> String? {
    var expression = SQLExpression(scope)
    while let token = reader.first, token.text != "," || token.kind == .text, token.text != ";" {
      if token.kind == .word, ends.contains(token.small) { break }
      // Another name of a column needs no word before it.
      if token.kind == .word, expression.isComplete, !operators.contains(token.small) { break }
      guard expression.readPart(&reader, ends) else { return nil }
    }
    return expression.pieces.isEmpty ? nil : expression.pieces.joined(separator: " ")
  }

  /// Reads expressions with commas between them, to the end.
  static func list(_ reader: ForeignReader?, _ scope: SQLScope) -> [String]? {
    guard var reader, !reader.isAt("select") else { return nil }
    var all: [String] = []
    while !reader.isAtEnd {
      guard let next = read(&reader, scope) else { return nil }
      all.append(next)
      if !reader.isAtEnd, !reader.take(",") { return nil }
    }
    return all
  }

  /// Returns false if what is next has no counterpart.
  private mutating func readPart(_ reader: inout ForeignReader, _ ends: Set<String>) -> Bool {
    if reader.take("and") { return connect("and") }
    if reader.take("or") { return connect("or") }
    if readComparison(&reader, ends) { return true }
    guard let token = reader.first else { return false }
    if token.kind == .sign, token.text == "(" {
      guard let inner = Self.list(reader.bracketed(), scope), inner.count == 1 else { return false }
      return append("(\(inner[0]))")
    }
    if token.kind == .sign {
      _ = reader.next()
      if token.text == "::" { return reader.name() != nil }
      guard let sign = Self.signs[token.text] else { return false }
      pieces.append(sign)
      isComplete = false
      return true
    }
    return readOperand(&reader)
  }

  private mutating func append(_ piece: String) -> Bool {
    pieces.append(piece)
    isComplete = piece != "not"
    return true
  }

  private mutating func connect(_ word: String) -> Bool {
    pieces.append(word)
    comparison = pieces.count
    isComplete = false
    return true
  }

  private static let operators: Set = [
    "and", "or", "not", "is", "isnull", "notnull", "in", "between", "like", "ilike", "glob",
    "regexp", "rlike",
  ]

  private static let signs = [
    "=": "==", "==": "==", "<>": "!=", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">=",
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "||": "+",
  ]
}

// MARK: Comparisons

extension SQLExpression {
  /// Reads a comparison in words; returns false, and consumes nothing, where there is none, or none that is known.
  private mutating func readComparison(_ reader: inout ForeignReader, _ ends: Set<String>) -> Bool {
    var ahead = reader
    guard let text = comparison(&ahead, ends) else { return false }
    reader = ahead
    return append(text)
  }

  private mutating func comparison(_ reader: inout ForeignReader, _ ends: Set<String>) -> String? {
    if reader.take("is not null", "notnull", "is not") {
      _ = reader.take("nil", "none")
      return "!= nil"
    }
    if reader.take("is null", "isnull", "is nil", "is none", "is missing") { return "== nil" }
    if reader.take("is true") { return "== true" }
    if reader.take("is false") { return "== false" }
    var ahead = reader
    let isNegated = ahead.take("not")
    guard let text = test(&ahead, ends) else {
      return isNegated && reader.take("not") ? "not" : nil
    }
    reader = ahead
    if isNegated { pieces.insert("not", at: comparison) }
    return text
  }

  /// `in (…)`, `like '…'`, `between … and …`.
  private func test(_ reader: inout ForeignReader, _ ends: Set<String>) -> String? {
    if reader.take("in") {
      return Self.list(reader.bracketed(), scope).map { "in {\($0.joined(separator: ", "))}" }
    }
    if reader.take("between") {
      guard let low = Self.read(&reader, scope, until: ["and"]), reader.take("and"),
        let high = Self.read(&reader, scope, until: ends.union(["and", "or"]))
      else { return nil }
      return "between {\(low), \(high)}"
    }
    let operators = [
      ("like", "like"), ("ilike", "like[c]"), ("glob", "like"), ("regexp", "matches"),
      ("rlike", "matches"), ("~", "matches"),
    ]
    for (word, name) in operators where reader.take(word) {
      guard let pattern = reader.next(), pattern.kind == .text else { return nil }
      let isLike = word.hasSuffix("like") && word != "rlike"
      let text =
        isLike
        ? pattern.text.replacing("%", with: "*").replacing("_", with: "?") : pattern.text
      return "\(name) \(text.quoted)"
    }
    return nil
  }
}

// MARK: Operands

extension SQLExpression {
  private mutating func readOperand(_ reader: inout ForeignReader) -> Bool {
    if reader.take("interval") {
      return duration(&reader).map { append($0) } ?? false
    }
    if reader.second?.kind == .text, reader.take("date", "timestamp", "timestamptz") {
      return readOperand(&reader)
    }
    if reader.take("current_timestamp", "current_date", "sysdate") { return append("now") }
    guard let token = reader.first else { return false }
    if let literal = token.literal, reader.second?.text != "." || token.kind != .text {
      _ = reader.next()
      return append(literal)
    }
    guard let name = reader.name(), !Self.unknown.contains(name.lowercased()) else { return false }
    if reader.first?.text == "(", reader.first?.kind == .sign {
      guard let call = call(name.lowercased(), reader.bracketed()) else { return false }
      return append(call)
    }
    var names = [name]
    while reader.take("."), let next = reader.name() { names.append(next) }
    return append(scope.path(names))
  }

  private static let unknown: Set = ["case", "exists", "any", "all", "some", "select", "over"]

  /// `'7 days'`, `7 day`.
  private func duration(_ reader: inout ForeignReader) -> String? {
    guard let token = reader.next() else { return nil }
    let words = token.text.split(separator: " ").map(String.init)
    guard let number = words.first.flatMap(Int.init),
      let unit = words.count > 1 ? words[1] : reader.name()
    else { return nil }
    let units = ["week": "w", "day": "d", "hour": "h", "minute": "m", "second": "s"]
    let name = unit.lowercased()
    return units[name.hasSuffix("s") ? String(name.dropLast()) : name].map { "\(number)\($0)" }
  }

  private func call(_ name: String, _ content: ForeignReader?) -> String? {
    guard var content else { return nil }
    if name == "count", content.take("*") || content.isAtEnd { return aggregate("@count") }
    if name == "cast" { return cast(&content) }
    if name == "extract" {
      guard let part = content.name(), content.take("from"),
        let whole = Self.read(&content, scope)
      else { return nil }
      return whole + ".\(part.lowercased())"
    }
    let isDistinct = content.take("distinct")
    guard let arguments = Self.list(content, scope) else { return nil }
    if let function = ForeignFunction.counterpart(of: name), function.hasPrefix("@") {
      guard arguments.count == 1, arguments[0].isPath else { return nil }
      if name == "count" { return aggregate(isDistinct ? "@distinct.\(arguments[0])" : "@count") }
      return aggregate("\(function).\(arguments[0])")
    }
    return Self.function(name, arguments)
  }

  private func aggregate(_ text: String) -> String { scope.columnOfAggregate?(text) ?? text }

  private func cast(_ content: inout ForeignReader) -> String? {
    guard let value = Self.read(&content, scope, until: ["as"]), content.take("as"),
      let type = content.name().map({ TypeKeyword.counterpart(of: $0) ?? $0.lowercased() })
    else { return nil }
    return "\(type)(\(value))"
  }

  private static func function(_ name: String, _ arguments: [String]) -> String? {
    let counterpart = ForeignFunction.counterpart(of: name) ?? ""
    switch (name, arguments.count) {
    case ("round", 1...2), ("abs", 1), ("floor", 1), ("ceil", 1), ("sqrt", 1):
      return "\(name)(\(arguments.joined(separator: ", ")))"
    case (_, 2) where counterpart == "??": return "(\(arguments[0]) ?? \(arguments[1]))"
    case ("concat", 2...): return arguments.joined(separator: " + ")
    case (_, 0) where counterpart == "now": return "now"
    case ("strftime", 2):
      let parts = ["%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute"]
      guard let part = parts[arguments[0].filter { $0 != "\"" }] else { return nil }
      return "\(arguments[1]).\(part)"
    case ("date", 1) where arguments[0].isPath: return "\(arguments[0]).date"
    case (_, 1) where counterpart.hasPrefix(".") && arguments[0].isPath:
      return arguments[0] + counterpart
    case _: return nil
    }
  }
}

extension String {
  /// Whether it is names with dots between them.
  fileprivate var isPath: Bool {
    !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }
}
