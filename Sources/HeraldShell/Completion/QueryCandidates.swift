import Herald

/// The candidates in a query of a class, or in a predicate without one.
struct QueryCandidates {
  private let candidates: CompletionCandidates
  private let typer: Typer
  private let root: Typing?

  /// The properties that are columns already, where each is one once.
  private let given: [String]

  init(_ candidates: CompletionCandidates, root: Typing?, given: [String] = []) {
    self.given = given
    self.candidates = candidates
    self.root = root?.elementOfCollection
    typer = candidates.typer
  }

  func all(for expectation: ParserNotes.QueryExpectation) -> [CompletionCandidates.Candidate] {
    switch expectation {
    case .keyword(let word): [.init(word: word)]
    case .operand(beside: let other):
      operands(beside: other.map { typer.typing(of: $0, root: root) })
    case .collection: properties { $0.isCollection || $0.classID != nil }
    case .path: properties { _ in true }
    case .step(after: let path):
      typer.typing(of: path, root: root).map { steps($0) + operations($0, sign: "@") } ?? []
    case .operation(after: let path):
      typer.typing(of: path, root: root).map { operations($0, sign: "") } ?? []
    case .relation(after: let left): relations(after: left)
    case .className: candidates.classes()
    case .linkProperty(let className):
      typer.properties(of: typer.typing(ofClass: className))
        .filter { $0.typing.classID == root?.classID && !$0.typing.shape.isBacklinks }
        .map { .init(text: $0.name) }
    case .key, .mapKey: []
    }
  }

  private func properties(where fits: (Typing) -> Bool) -> [CompletionCandidates.Candidate] {
    // The elements of a collection of values have one name.
    if let root, root.classID == nil, root.element != nil {
      return fits(root) ? [.init(text: "self")] : []
    }
    return typer.properties(of: root).filter { fits($0.typing) && !given.contains($0.name) }
      .map { .init(text: $0.name) }
  }

  /// - Parameter other: the type of the other side of a comparison, if there is one.
  private func operands(beside other: Typing??) -> [CompletionCandidates.Candidate] {
    guard let other else { return freeOperands }
    guard let other, let element = other.element else {
      return properties { _ in true } + candidates.variables { _ in true } + Self.literals
    }
    let fits = { (typing: Typing) in typing.classID != nil || typing.isComparable(to: element) }
    var found = properties(where: fits)
    found += candidates.variables { !$0.isCollection && fits($0) }
    if root == nil { found += candidates.classes() }
    if element == .bool { found += Self.literals.prefix(2) }
    return found + [.init(text: "nil")]
  }

  private var freeOperands: [CompletionCandidates.Candidate] {
    var found = properties { _ in true }
    if root == nil { found += candidates.classes() }
    found += candidates.variables { _ in true }
    if root == nil { found += Self.literals }
    found += (root == nil ? GeneratedValue.words : [.now]).map { .init(text: $0.text) }
    let words = ["NOT", "ANY", "ALL", "NONE"].map {
      CompletionCandidates.Candidate(text: $0, suffix: " ")
    }
    found += ValueFunction.named.keys.sorted().map { .init(text: $0, suffix: "(") }
    return found + words + [
      .init(text: "SUBQUERY", suffix: "("), .init(text: "TRUEPREDICATE"),
      .init(text: "FALSEPREDICATE"),
    ]
  }

  private static let literals = ["true", "false", "nil"].map {
    CompletionCandidates.Candidate(text: $0)
  }

  private func steps(_ typing: Typing) -> [CompletionCandidates.Candidate] {
    let measures =
      typing.isCollection ? [] : typing.element.map { ValueMeasure.names(of: $0) } ?? []
    return typer.properties(of: typing).map { .init(text: $0.name) }
      + measures.map { .init(text: $0) }
  }

  /// - Parameter sign: `@` where it has not been typed yet.
  private func operations(_ typing: Typing, sign: String) -> [CompletionCandidates.Candidate] {
    var names: [String] = []
    if typing.isCollection {
      // Of objects there is something to aggregate, of whatever type.
      names += CollectionOperation.all.filter { operation in
        typing.classID != nil || typing.element.map { operation.function.accepts($0) } ?? true
      }.map { $0.word.dropFirst() + ($0.hasFraction ? "(" : "") }
    }
    if typing.shape == .map { names += ["keys", "values"] }
    if typing.element == .any { names.append("type") }
    if typing.classID != nil, !typing.isCollection { names.append("links") }
    return names.map { .init(text: sign + $0) }
  }

  private func relations(after left: ExpressionSyntax) -> [CompletionCandidates.Candidate] {
    guard let typing = typer.typing(of: left, root: root), let element = typing.element else {
      return []
    }
    // For the values of a collection BETWEEN needs ALL; a property of many objects does not.
    var isOwn = false
    if case .path(let path) = left.kind { isOwn = path.steps.count == 1 }
    let names =
      typing.isCollection && isOwn && left.quantifier != .all
      ? element.relations.filter { $0 != "BETWEEN" } : element.relations
    return names.map { .init(text: $0, suffix: " ") }
  }
}

extension Typing {
  fileprivate func isComparable(to other: ElementType) -> Bool {
    guard let element, element != .any, other != .any else { return true }
    return element == other || element.isNumber && other.isNumber
  }
}

extension ElementType {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    case .bool, .string, .data, .date, .uuid, .objectID, .any, .link: false
    }
  }

  /// The operators that compare values of the type.
  fileprivate var relations: [String] {
    let families: Set<Relation.Family> =
      switch self {
      case .string, .data, .any: [.equality, .order, .text]
      case .bool, .int, .float, .double, .decimal, .date, .uuid, .objectID: [.equality, .order]
      case .link: [.equality]
      }
    let relations = Relation.allCases.filter {
      families.contains($0.family) && ($0 != .matches || self != .data)
    }.map(\.rawValue)
    return relations + ["IN"] + (families.contains(.order) ? ["BETWEEN"] : [])
  }
}
