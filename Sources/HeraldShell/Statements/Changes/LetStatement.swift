import Herald

/// `let $x = 4`, `let $f = freeze $max`, `let $t = observe Dog`, also without `let`.
struct LetStatement: StatementForm {
  static let command = Command(
    "let",
    [
      "let $NAME = VALUE", "$NAME = VALUE", "let $NAME = freeze VALUE",
      "let $NAME = freeze [at VERSION]",
      "let $NAME = observe ...",
    ],
    "name a value, an object or a live collection",
    [
      "All sessions share a variable; its object is resolved in the session that uses it.",
      "With freeze the variable names an immutable snapshot of the object or collection: it and "
        + "everything reached from it stay at this version, the same in every session. A frozen "
        + "value can be read and queried, also together with live ones, but neither observed nor "
        + "changed. With freeze alone, or at a version, it is the whole store at that version: "
        + "'Dog where age > 3 in $f'.",
      "With observe it holds an observer, whose token has the variable's name: when the block "
        + "ends, or the variable gets another value, the observer ends silently.",
    ],
    examples: [
      "let $old = Dog where age > 9 sort(age desc)", "let $first = (Dog sort(name))[0]",
      "let $before = freeze $max", "$n = 4; $n += 1", "let $t = observe Dog",
    ], inWrites: true,
    parse: { parser throws(ShellError) in
      let name = try parser.variable()
      try parser.take(sign: "=")
      return try LetStatement(name, &parser)
    })

  enum Content {
    case value(ExpressionSyntax)
    case frozen(ExpressionSyntax)
    /// `freeze at 41`; without a version the present one.
    case version(ExpressionSyntax?)
    /// The token has the variable's name and ends with the block.
    case token(ObserveSyntax)
  }
  let name: Name
  let content: Content

  /// Parses what the variable is to name, after `=`.
  init(_ name: Name, _ parser: inout StatementParser) throws(ShellError) {
    self.name = name
    content =
      if parser.takeIf("observe") {
        .token(try Self.observed(by: name, &parser))
      } else if parser.takeIf("freeze") {
        if parser.takeIf("at") {
          .version(try parser.expression())
        } else if parser.isAtEndOfStatement, !parser.isNoted {
          .version(nil)
        } else {
          .frozen(try parser.expression())
        }
      } else {
        .value(try parser.valueOrTest())
      }
  }

  private static func observed(
    by name: Name, _ parser: inout StatementParser
  ) throws(ShellError) -> ObserveSyntax {
    let syntax = try ObserveSyntax(&parser)
    guard let other = syntax.name else { return syntax }
    throw parser.failure(.tokenOfVariable(name.text), at: other.span)
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    switch content {
    case .value(let value): try context.bind(name, try context.variable(value))
    case .frozen(let value): try context.bind(name, try frozen(value, context))
    case .version(let version): try context.bind(name, try frozenVersion(version, context))
    case .token(let syntax): try bindToken(syntax, context)
    }
  }

  /// `freeze $max`: an immutable snapshot.
  private func frozen(_ expression: ExpressionSyntax, _ context: Context) throws -> Variable {
    do {
      switch try context.resolve(expression) {
      case .object(let object): return .frozen(.object(try object.frozen))
      case .results(let results): return .frozen(.results(try results.frozen))
      case .collection(let collection): return .frozen(.collection(try collection.frozen))
      case .projection(let projection): return .frozen(.projection(try projection.frozen))
      case .value(let value): return .value(value)
      case .values(let values): return .values(values)
      case .elements(let elements): return .values(try elements.values)
      case .newObject:
        throw HeraldError.objectNotAdded(context.source.text(expression.span))
      }
    } catch { throw located(error, context.source, expression.span) }
  }

  /// `let $f = freeze at 41`, `let $f = freeze`.
  private func frozenVersion(_ version: ExpressionSyntax?, _ context: Context) throws -> Variable {
    guard let version else { return .version(try context.store.frozen(at: context.store.version)) }
    return .version(try context.store(at: .at(version)))
  }

  /// `let $t = observe Dog`: the token is called `t`, and lives as long as `$t` holds it, within its block.
  private func bindToken(_ syntax: ObserveSyntax, _ context: Context) throws {
    let shell = context.shell
    if context.locals[name.text] != nil {
      throw context.failure(.notAssignable("$" + name.text), at: name.span)
    }
    var named = syntax
    named.name = name
    let old = shell.scopedTokens[name.text]
    let record = try named.observe(in: context, replacing: old)
    if let old { try context.end(old) }
    shell.scopedTokens[name.text] = record
    shell.variables[name.text] = .value(.string(name.text))
    context.block?.names.insert(name.text)
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool {
    if case .value = content { word.first?.isLowercase ?? false } else { false }
  }
}
