import Herald

/// The notes of a parser for completion, hints and colours: the expectations at the end of the text, and
/// the meanings of words.
///
/// The parser notes what it expects where it expects it, so that the grammar is not duplicated.
final class ParserNotes {
  enum Expectation {
    case statement
    /// A keyword; under a condition on the name before it, if there is one.
    case word(String, given: Condition?)
    /// An expectation as named in error messages: a name, a value, a sign.
    case wanted(String, of: PropertyOwner?)
    /// An expectation of the query language; `root` is the target of the query.
    case query(QueryNotes.Expectation, root: PropertyOwner?, within: [QueryNotes.Element])
    /// The key of an object of a class, after `#`.
    case key(className: String)
    /// The key of a map, after `[`.
    case mapKey(PathSyntax, Source)
  }

  /// A condition on a name that gives the words after it their meaning.
  enum Condition: Equatable {
    case isToken(String)
    case isProjection(String)
  }

  enum Meaning {
    case keyword, className
  }

  private(set) var expectations: [Expectation] = []
  private(set) var meanings: [(span: SourceSpan, meaning: Meaning)] = []
  /// The owner of the property that is named here.
  var owner: PropertyOwner?
  var condition: Condition?
  /// The targets of the observers whose `do` blocks enclose this position, outermost first.
  var observed: [ObserveSyntax.Target] = []

  func expect(_ expectation: Expectation) { expectations.append(expectation) }

  func note(_ meaning: Meaning, _ span: SourceSpan) { meanings.append((span, meaning)) }

  func add(_ notes: QueryNotes, root: PropertyOwner?) {
    expectations += notes.expectations.map { .query($0, root: root, within: notes.elements) }
    meanings += notes.keywords.map { ($0, .keyword) }
  }
}

/// The owner of a named property: a base, and the properties on the path from it.
struct PropertyOwner {
  indirect enum Base {
    /// A class, or a projection.
    case className(String)
    /// An object, or the elements of a collection.
    case place(PathSyntax)
    /// An object, directly before a dot.
    case step(PathSyntax)
    /// A class of which a property is named without a value.
    case declared(String)
    /// The target class of links.
    case linking(String)
  }
  var base: Base
  /// Properties on the path; a collection continues with its elements.
  var path: [String] = []

  init(_ base: Base) { self.base = base }

  init(origin: QuerySyntax.Origin) {
    switch origin {
    case .className(let name): base = .className(name.text)
    case .place(let place): base = .place(place)
    }
  }

  func appending(_ name: String) -> PropertyOwner {
    var owner = self
    owner.path.append(name)
    return owner
  }
}

extension StatementParser {
  /// Whether notes are taken and the text ends here.
  var isNoted: Bool { notes != nil && token.kind == .end && token.start == bytes.count }

  func note(_ expectation: @autoclosure () -> ParserNotes.Expectation) {
    if isNoted { notes?.expect(expectation()) }
  }

  /// Notes a keyword that is possible here.
  func note(word: StaticString) {
    if isNoted { notes?.expect(.word("\(word)", given: notes?.condition)) }
  }

  /// Continues with property names that belong to `owner`.
  func setOwner(_ owner: @autoclosure () -> PropertyOwner?) {
    if let notes { notes.owner = owner() }
  }
}
