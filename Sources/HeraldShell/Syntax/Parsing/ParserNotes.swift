import Herald

/// What a reading of statements notes for whoever helps a person to type them: what could stand
/// where the text ends, and which words meant something.
///
/// The parser notes it where it looks for it, so completion, hints and colours know no grammar of
/// their own.
final class ParserNotes {
  enum Expectation {
    case statement
    /// A word of the language; under a condition on the name before it, where one stands.
    case word(String, given: Condition?)
    /// What the parser names in a complaint: a name, a value, a sign.
    case wanted(String, of: PropertyOwner?)
    /// What the query language looks for; `root` is what is asked about.
    case query(QueryNotes.Expectation, root: PropertyOwner?, within: [QueryNotes.Element])
    /// The key of an object of a class, after `#`.
    case key(className: String)
    /// The key of a map, after `[`.
    case mapKey(Place, Source)
  }

  /// What has to hold of a name for the words after it to mean something.
  enum Condition: Equatable {
    case isToken(String)
    case isProjection(String)
  }

  enum Meaning {
    case keyword, className
  }

  private(set) var expectations: [Expectation] = []
  private(set) var meanings: [(span: SourceSpan, meaning: Meaning)] = []
  /// Whose property a name stands for here.
  var owner: PropertyOwner?
  var condition: Condition?
  /// What is observed by the `do` blocks around this place, outermost first.
  var observed: [ObserveSyntax.Target] = []

  func expect(_ expectation: Expectation) { expectations.append(expectation) }

  func note(_ meaning: Meaning, _ span: SourceSpan) { meanings.append((span, meaning)) }

  func add(_ notes: QueryNotes, root: PropertyOwner?) {
    expectations += notes.expectations.map { .query($0, root: root, within: notes.elements) }
    meanings += notes.keywords.map { ($0, .keyword) }
  }
}

/// What a name of a property belongs to: a beginning, and the properties passed since.
struct PropertyOwner {
  indirect enum Base {
    /// A class, or a projection.
    case className(String)
    /// An object, or the elements of a collection.
    case place(Place)
    /// An object, right before a dot.
    case step(Place)
    /// A class of which a property is named and given nothing.
    case declared(String)
    /// A class of which links are meant.
    case linking(String)
  }
  var base: Base
  /// Properties that lead on; a collection leads to its elements.
  var path: [String] = []

  init(_ base: Base) { self.base = base }

  init(origin: Query.Origin) {
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

extension Parser {
  /// Whether somebody is helped to type, and the text ends here.
  var isNoted: Bool { notes != nil && token.kind == .end && token.start == bytes.count }

  func note(_ expectation: @autoclosure () -> ParserNotes.Expectation) {
    if isNoted { notes?.expect(expectation()) }
  }

  /// Notes a word that could stand here.
  func note(word: StaticString) {
    if isNoted { notes?.expect(.word("\(word)", given: notes?.condition)) }
  }

  /// Reads on with names of properties belonging to `owner`.
  func setOwner(_ owner: @autoclosure () -> PropertyOwner?) {
    if let notes { notes.owner = owner() }
  }
}
