import Herald

/// A statement of another language, in the words of this one.
///
///     select name from Dog where age > 3     show Dog where age > 3 { name }
///     db.dogs.find({ age: { $gt: 3 } })      Dog where age > 3
///     hget dog:3 name                        print Dog#3.name
///     \d dog                                 schema Dog
enum Translation {
  /// Longer statements are not translated.
  static let longest = 1_000

  /// The statement here; nil if there is none, or if the text is not of a language that is known. What is returned can be
  /// parsed.
  ///
  /// - Parameter isDeclared: Whether a name is that of a class.
  static func statement(_ text: String, isDeclared: (String) -> Bool) -> String? {
    guard let tokens = ForeignToken.tokens(of: text),
      !tokens.isEmpty
    else { return nil }
    return withoutActuallyEscaping(isDeclared) { isDeclared in
      let reader = ForeignReader(tokens) { name in className(name, isDeclared) }
      for translate in [SQLTranslation.statement, MongoTranslation.statement] {
        if let found = translate(reader), isStatement(found) { return found }
      }
      let named = { (name: String) in className(name, isDeclared) }
      let found = ConsoleTranslation.statement(text, className: named)
      return found.flatMap { isStatement($0) ? $0 : nil }
    }
  }

  /// A query with clauses of SQL after it; nil if what follows is none.
  static func query(_ base: String, clauses: String, isDeclared: (String) -> Bool) -> String? {
    guard let tokens = ForeignToken.tokens(of: clauses) else { return nil }
    return withoutActuallyEscaping(isDeclared) { isDeclared in
      let reader = ForeignReader(tokens) { className($0, isDeclared) }
      guard let found = SQLTranslation.query(base, clauses: reader), isStatement(found) else {
        return nil
      }
      return found
    }
  }

  private static func isStatement(_ text: String) -> Bool {
    var parser = StatementParser(Source(name: "", text: text))
    parser.translates = false
    guard (try? parser.next()) != nil else { return false }
    parser.skipSeparators()
    return parser.token.kind == .end
  }

  /// The class that a table or a collection probably is: of the same name, in the singular, or with a capital.
  private static func className(_ name: String, _ isDeclared: (String) -> Bool) -> String {
    let joined = name.split(separator: "_").map(\.capitalizedFirst).joined()
    let all = [name, joined].flatMap { [$0, $0.capitalizedFirst] }
    let singular = all.flatMap(\.singulars)
    return (all + singular).first(where: isDeclared) ?? name
  }
}

extension StringProtocol {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  fileprivate var singulars: [String] {
    var found: [String] = []
    if hasSuffix("ies") { found.append(dropLast(3) + "y") }
    if hasSuffix("es") { found.append(String(dropLast(2))) }
    if hasSuffix("s") { found.append(String(dropLast())) }
    return found
  }
}
