import Herald

/// The texts that match an expectation of the parser.
struct CompletionCandidates {
  struct Candidate {
    let text: String
    var suffix = ""
  }

  private(set) var context: CompletionContext
  private(set) var typer: Typer
  /// A dollar sign was typed: only then are variables offered where a statement begins, as commands
  /// are more likely.
  var isAboutVariables = false
  /// Whether the statement is in a write transaction.
  private let isInWrite: Bool

  /// Adds the variables of the innermost block to the global ones.
  init(_ context: CompletionContext, _ notes: ParserNotes) {
    isInWrite = notes.openWrites > 0
    var context = context
    if case .some(let observed?) = notes.observed.last {
      context.variables.merge(Typer(context: context).locals(of: observed)) { $1 }
    }
    for loop in notes.loops {
      let typer = Typer(context: context)
      context.variables[loop.variable] =
        loop.elements.flatMap { typer.typing(of: $0, root: nil) }?.elementOfCollection ?? .unknown
    }
    self.context = context
    typer = Typer(context: context)
  }

  func all(for expectation: ParserNotes.Expectation) -> [Candidate] {
    switch expectation {
    case .statement: statements
    case .word(let word, given: let condition):
      condition.map(holds) ?? true ? [Candidate(word: word)] : []
    case .expected(let what, of: let owner):
      (CompletionKind(rawValue: what).map { all(for: $0, of: owner) } ?? []) + signs(in: what)
    case .query(let expectation, let root, let elements):
      queryCandidates(
        elements, root: root.flatMap { typer.typing(of: $0) }, given: root?.given ?? []
      ).all(for: expectation)
    case .mapKey: []
    }
  }

  /// The candidates in a query, within its SUBQUERYs.
  private func queryCandidates(
    _ elements: [ParserNotes.Element], root: Typing?, given: [String]
  ) -> QueryCandidates { QueryCandidates(within(elements, root: root), root: root, given: given) }

  /// These candidates with the variables of SUBQUERYs.
  func within(_ elements: [ParserNotes.Element], root: Typing?) -> CompletionCandidates {
    var candidates = self
    for element in elements {
      var context = candidates.context
      let list = candidates.typer.typing(of: element.path, root: root?.elementOfCollection)
      context.variables[element.name] = list?.elementOfCollection ?? .unknown
      candidates.context = context
      candidates.typer = Typer(context: context)
    }
    return candidates
  }

  private func holds(_ condition: ParserNotes.Condition) -> Bool {
    switch condition {
    case .isToken(let name): context.tokens.contains(name)
    case .isAnyToken: !context.tokens.isEmpty
    case .isProjection(let name): context.schema.projection(named: name) != nil
    case .isObject(let query): typer.typing(of: query).map { !$0.isCollection } ?? true
    case .isCollection(let query): typer.typing(of: query).map(\.isCollection) ?? true
    case .always: true
    case .never: false
    }
  }

  private func all(for kind: CompletionKind, of owner: PropertyOwner?) -> [Candidate] {
    switch kind {
    case .statement: statements
    case .blockOrStatement: statements.filter { !Self.endsOfWrites.contains($0.text) }
    case .className: independentClasses
    case .shown: classes() + projections()
    case .query: classes(suffix: " ") + projections(suffix: " ") + variables { $0.isNavigable }
    case .target: variables { $0.isNavigable } + classes(suffix: "#")
    case .collection, .list, .listOrSet, .set, .listElement: variables { $0.isNavigable }
    case .value: values(owner)
    case .property: properties(owner)
    case .keyPath:
      typer.properties(of: owner.flatMap { typer.typing(of: $0) })
        .filter { owner?.given.contains($0.name) == false }.map { Candidate(text: $0.name) }
    case .token: named(context.tokens)
    case .session: named(context.sessions)
    case .variable: variables { _ in true }
    case .type: Self.collectionTypes + Self.types + classes()
    case .elementType: Self.types + classes()
    case .file, .store: []
    case .alias: named(Array(context.aliases.keys))
    case .edited: named(Array(context.aliases.keys)) + projections()
    case .topic: named(HelpText.topics)
    }
  }

  private func named(_ names: [String]) -> [Candidate] {
    names.sorted().map { Candidate(text: $0) }
  }

  private var statements: [Candidate] {
    if isAboutVariables { return variables { _ in true } }
    let commands = CommandReference.commands.filter { command in
      command.word != "@"
        && (!isInWrite || command.standsInWrites)
    }
    return commands.map { command in
      Candidate(text: command.word, suffix: command.synopsis == [command.word] ? "" : " ")
    } + named(Array(context.aliases.keys)).map { Candidate(text: $0.text, suffix: " ") }
      + classes(suffix: " ") + projections(suffix: " ")
  }

  private static let endsOfWrites = [CommitStatement.command, RollbackStatement.command].map(\.word)

  /// The signs among what the parser expects that a statement continues with.
  private func signs(in expected: String) -> [Candidate] {
    expected.replacing(" or ", with: ", ").split(separator: ", ").compactMap { word in
      word == "'{'" || word == "'='"
        ? Candidate(text: String(word.dropFirst().dropLast()), suffix: " ") : nil
    }
  }

  func classes(suffix: String = "") -> [Candidate] {
    context.schema.classes.filter(\.isDeclared).map(\.name).sorted().map {
      Candidate(text: $0, suffix: suffix)
    }
  }

  /// The classes whose objects are not embedded.
  private var independentClasses: [Candidate] {
    let classes = context.schema.classes.filter { $0.isDeclared && !$0.isEmbedded }
    return classes.map(\.name).sorted().map { Candidate(text: $0, suffix: " ") }
  }

  private func projections(suffix: String = "") -> [Candidate] {
    (context.schema.projections.map(\.name) + context.schema.definitions.map(\.name)).sorted()
      .map { Candidate(text: $0, suffix: suffix) }
  }

  func variables(where fits: (Typing) -> Bool) -> [Candidate] {
    context.variables.filter { fits($0.value) }.keys.sorted().map { Candidate(text: "$" + $0) }
  }

  private func properties(_ owner: PropertyOwner?) -> [Candidate] {
    guard let owner, let typing = typer.typing(of: owner) else { return [] }
    let properties = typer.properties(of: typing).filter { !owner.given.contains($0.name) }
    switch owner.base {
    case .linking:
      return properties.filter { $0.typing.classID != nil && !$0.typing.shape.isBacklinks }
        .map { Candidate(text: $0.name) }
    case .step where owner.properties.isEmpty:
      return typing.isCollection ? [] : properties.map { Candidate(text: $0.name) }
    case .declared: return properties.map { Candidate(text: $0.name) }
    case .step, .path, .className:
      return properties.filter { !$0.typing.shape.isBacklinks }
        .map { Candidate(text: $0.name, suffix: ": ") }
    }
  }

  /// The values of a property's type, or all values if the property is not known.
  private func values(_ owner: PropertyOwner?) -> [Candidate] {
    guard let owner, let typing = typer.typing(of: owner) else {
      return classes() + projections() + variables { _ in true } + Self.constants
    }
    var found: [Candidate] =
      typing.element == .bool ? [.init(text: "true"), .init(text: "false")] : []
    found += variables { typing.accepts($0) }
    if let name = typer.classSchema(typing)?.name {
      found.append(Candidate(text: name, suffix: "#"))
    }
    if typing.isOptional { found.append(Candidate(text: "nil")) }
    return found
  }

  private static let constants = ["true", "false", "nil"].map { Candidate(text: $0) }

  private static let collectionTypes = ["list", "set", "map", "backlinks"].map {
    Candidate(text: $0, suffix: "<")
  }

  private static let types = TypeKeyword.allCases.map(\.rawValue).sorted().map {
    Candidate(text: $0)
  }
}

extension CompletionCandidates.Candidate {
  /// A keyword, with the sign or blank that always follows it.
  init(word: String) {
    text = word
    suffix = QueryParser.stages.contains(word) ? "(" : " "
  }
}

extension Typing {
  /// Whether the value may be an object or a collection.
  fileprivate var isNavigable: Bool { element == nil || classID != nil || isCollection }

  /// Whether a value of another type may be assigned here.
  fileprivate func accepts(_ other: Typing) -> Bool {
    element == .any || other.element == nil || other.element == element
  }
}

extension Typer {
  /// The variables in the block of an observer.
  fileprivate func locals(of observed: ExpressionSyntax) -> [String: Typing] {
    switch observed.kind {
    case .literal, .list, .path, .arithmetic, .subquery, .call, .fallback, .duration, .record,
      .generated, .test:
      return [:]
    case .projection(let name, of: _):
      return ["object": typing(ofClass: name.text) ?? .unknown, "properties": .unknown]
    case .query(let query):
      let typing = typing(of: query) ?? .unknown
      guard typing.isCollection else { return ["object": typing, "properties": .unknown] }
      let positions = Typing(.int, shape: .list)
      return [
        "rows": typing, "deletions": positions, "insertions": positions,
        "modifications": positions, "modificationsNew": positions,
      ]
    }
  }
}
