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
    /// `log 20 Dog`: the number of commits, and a class that they touch.
    case log(ExpressionSyntax?, of: Name?)
    case logVersion(ExpressionSyntax)
    /// `version at "2026-11-22"`; without a time that of the last commit.
    case version(at: ExpressionSyntax?)
    /// nil for `keep log` alone, which prints the setting.
    case keepLog(Name?)
    /// `diff 41 44 Dog sort(name)`
    case diff(ExpressionSyntax, ExpressionSyntax, QuerySyntax)
    case undo(ExpressionSyntax?)
    case redo
    // Observers
    case observe(ObserveSyntax)
    case follow(FollowSyntax)
    case watch(ObserveSyntax)
    case tokens
    case events(of: Name?)
    case invalidate([Name])
    case invalidateAll
    case why(Name)
    // Sessions
    case onSession(Name, Statement)
    case sessions
    case session(Name)
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
    case explain(QuerySyntax)
    case print([ExpressionSyntax])
    case mode(OutputMode)
    case details(Bool)
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
