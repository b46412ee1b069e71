import Herald

/// A parsed statement, not yet resolved: names are names, not classes.
struct Statement {
  var kind: Kind
  var span: SourceSpan

  indirect enum Kind {
    case form(any StatementForm)
    // The store
    // Changes
    // Transactions
    // The log
    // Observers
    // Sessions
    // Output
    /// An expression: a query is shown, every other value printed.
    case bare(ExpressionSyntax)
    case show(ExpressionSyntax)
    /// `show Dog { name, age * 7 as dogYears }`
    case showColumns(QuerySyntax, [ColumnSyntax])
    /// `show group Dog by breed { n: @count }`
    case showGroups(GroupSyntax)
    case count(ExpressionSyntax)
    case countGroups(GroupSyntax)
    case print([ExpressionSyntax])
    case mode(OutputMode)
    case timing(Bool)
    case help(Name?)
    case history
    case tour
    // The prompt
    case setAlias(Name, String)
    case listAliases(Name?)
    case removeAlias(Name)
    case edit(Name?)
    // Scripts
    case expect(Expectation)
    case condition(PredicateSyntax, then: [Statement], otherwise: [Statement])
    /// `for $x in Dog {…}`: the variable, and the source of its values.
    case loop(Name, ExpressionSyntax, [Statement])
    /// `for $g in group Dog by breed { n: @count } {…}`
    case loopGroups(Name, GroupSyntax, [Statement])
    case read(Name)
    case importFiles([ImportSyntax])
    case exportRows(QuerySyntax, columns: [ColumnSyntax], to: Name, as: ExportFormat?)
    case dump(of: VersionSyntax?, to: Name?)
    case exportGroups(GroupSyntax, to: Name, as: ExportFormat?)
    case quit
    /// `show Dog | sort`, `show Dog > "dogs.txt"`
    case redirected(Statement, to: OutputDestination)
  }
}

/// The destination of the output of a statement.
enum OutputDestination {
  /// A command for the system's shell, which reads the output.
  case program(Name)
  case file(Name)
}

extension Statement {
  /// Whether it concerns the store as a whole, or no session at all, and so runs on `main`.
  var isForMain: Bool {
    if case .read = kind { return true }
    if case .redirected(let inner, _) = kind { return inner.isForMain }
    if case .form(let form) = kind { return form.isForMain }
    return false
  }

  /// The session that it runs on, when it names one.
  func session(in shell: Interpreter) -> ShellSession? {
    if case .redirected(let inner, _) = kind { return inner.session(in: shell) }
    if case .form(let form) = kind { return form.session(in: shell) }
    return nil
  }
}

/// One file of an `import`.
struct ImportSyntax {
  var path: Name
  var className: Name
  /// `as new`: the class is inferred from the file and declared.
  var declares = false
  var form = ImportForm()
  var columns = ColumnChoice()
  /// The class is shown, and nothing is changed.
  var isDryRun = false
}

enum Expectation {
  case event(token: Name, ExpectedEvent)
  case nothing
  case predicate(PredicateSyntax)
  /// The block is found by its brackets and parsed when it runs, so that it may contain a mistake.
  /// With the block, which is parsed when it runs, and its nesting depth.
  case error(String, block: SourceSpan, depth: Int)
}
