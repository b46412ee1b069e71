import Herald

/// A word of the source with its span.
struct Name: Equatable {
  var text: String
  var span: SourceSpan
}

/// An expression for a value, an object or a collection.
struct Expression {
  indirect enum Kind {
    case literal(Value)
    case list([Expression])
    /// An object or a map, depending on the expected type.
    case record(RecordLiteral)
    /// `uuid()`, `oid()`: a new one at each evaluation.
    case generated(GeneratedValue)
    case place(PathExpression)
    case query(Query)
    /// Arithmetic, dates and aggregates, which the query language evaluates.
    case computed(ExpressionSyntax)
    /// `$max.age < 2`: true or false.
    case test(PredicateSyntax)
    /// `Card of $max`.
    case projection(Name, of: Query)
  }
  var kind: Kind
  var span: SourceSpan
}

enum GeneratedValue {
  case uuid, objectID
}

/// A path from a base to an object, a collection or a property: `$max`, `$p.dogs[2]`, `Dog#3.owner.name`,
/// `(Dog sort(name))[0]`.
struct PathExpression {
  indirect enum Base {
    case variable(Name)
    case object(className: Name, key: Expression)
    case query(Query)
  }
  enum Step {
    case property(Name)
    case index(Expression)

    var span: SourceSpan {
      switch self {
      case .property(let name): name.span
      case .index(let expression): expression.span
      }
    }
  }
  var base: Base
  var steps: [Step]
  var span: SourceSpan
}

/// A class or a collection, with its clauses.
struct Query {
  indirect enum Origin {
    case className(Name)
    case place(PathExpression)
  }
  var origin: Origin
  var tail: QueryTail?
  var span: SourceSpan
}

/// `{ name: "Max", age: 3 }`, `{ "a": 1 }`.
struct RecordLiteral {
  struct Entry {
    var name: Name
    var value: Expression
  }
  var entries: [Entry]
  var span: SourceSpan
}
