import Herald

/// The content of a variable: an object rather than one session's view of it.
enum Variable {
  case value(Value)
  case values([Value])
  /// `$properties` of an event: their names, with the values in a loop.
  case changes([ChangedProperty])
  case object(HeldObject)
  case newObject(NewObject)
  case collection(Recipe)
  /// A projection of an object, by its name.
  case projection(String, HeldObject)
  /// A frozen object or collection, or a value reached from one: the same in every session.
  case frozen(Resolved)
  /// A version of the store, for queries.
  case version(DynamicStore)
}

/// A property of an event; a collection has the values nil.
struct ChangedProperty {
  let name: String
  var old = Value.null
  var new = Value.null

  /// What a loop's variable holds.
  var content: Value { .map(["name": .string(name), "oldValue": old, "newValue": new]) }
}

/// The recipe of a live collection, which each session that uses it evaluates.
final class Recipe {
  indirect enum Origin {
    case className(Name)
    case property(of: HeldObject, named: String)
    case recipe(Recipe)
  }
  let origin: Origin
  let tail: QueryTail?
  /// The text that the spans of the names and of the tail refer to.
  let source: Source
  let span: SourceSpan
  /// The variables that its text names, as they were when the collection was named.
  let scope: VariableScope
  /// The rows as an observer of them has them, in its block.
  let observed: DynamicResults?

  init(origin: Origin, tail: QueryTail?, source: Source, span: SourceSpan, scope: VariableScope) {
    self.origin = origin
    self.tail = tail
    self.source = source
    self.span = span
    self.scope = scope.restricted(to: span, of: source)
    observed = nil
  }

  init(_ recipe: Recipe, observed: DynamicResults) {
    (origin, tail, source) = (recipe.origin, recipe.tail, recipe.source)
    (span, scope) = (recipe.span, recipe.scope)
    self.observed = observed
  }
}

/// The variables in scope of a statement: those of its block, then the global ones.
struct VariableScope {
  var shared: [String: Variable]
  var local: [String: Variable]

  subscript(name: String) -> Variable? { local[name] ?? shared[name] }

  var names: [String] { local.keys.sorted() + shared.keys.sorted() }

  /// Only the variables that a text names, to be kept: whoever keeps all of them makes the next change of one copy all.
  func restricted(to span: SourceSpan, of source: Source) -> VariableScope {
    var kept = VariableScope(shared: [:], local: [:])
    var lexer = Lexer(source.bytes, from: span.start, to: min(span.end, source.bytes.count))
    while case let token = lexer.next(), token.kind != .end {
      guard token.kind == .variable else { continue }
      let name = String(decoding: source.bytes[token.start + 1..<token.end], as: UTF8.self)
      kept.local[name] = self[name]
    }
    return kept
  }
}
