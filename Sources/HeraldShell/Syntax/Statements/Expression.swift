import Herald

/// A word of the source with its place.
struct Name: Equatable {
  var text: String
  var span: SourceSpan
}

/// What may stand where a value, an object or a collection is wanted.
struct Expression {
  indirect enum Kind {
    case literal(Value)
    case list([Expression])
    /// An object, a map or an entry of one: what it is for decides.
    case record(Record)
    /// `uuid()`, `oid()`: another one each time.
    case generated(GeneratedValue)
    case place(Place)
    case query(Query)
    /// Arithmetic, dates, aggregates: what the query language evaluates.
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

/// `$max`, `$p.dogs[2]`, `Dog#3.owner.name`, `(Dog sort(name))[0]`: a way from a beginning to an
/// object, a collection or a property.
struct Place {
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

/// A class or a collection, and what is asked of it.
struct Query {
  indirect enum Origin {
    case className(Name)
    case place(Place)
  }
  var origin: Origin
  var tail: QueryTail?
  var span: SourceSpan
}

/// `{ name: "Max", age: 3 }`, `{ "a": 1 }`.
struct Record {
  struct Entry {
    var name: Name
    var value: Expression
  }
  var entries: [Entry]
  var span: SourceSpan
}
