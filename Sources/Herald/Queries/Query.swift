import HeraldModel
import HeraldQuery

/// A value that a query reads from each object, or a condition, which is a `Query<Bool>`: what the block of `where`
/// receives and returns.
///
///     store.objects(Dog.self).where { $0.age > 5 && $0.owner.name == "Ann" }
///
/// Its members are the properties of the objects. A path over a collection is true of any of its elements.
@dynamicMemberLookup
public struct Query<T> {
  let node: QueryNode
  let context: QueryContext

  init(_ node: QueryNode, _ context: QueryContext) {
    self.node = node
    self.context = context
  }
}

/// The syntax of a query.
enum QueryNode {
  /// A path from the object, and how many of its steps lead to its first collection.
  case path([PathSyntax.Step], collection: Int?)
  /// A value that is not a path.
  case operand(ExpressionSyntax)
  /// A condition, and the collection that all its paths lead through.
  case predicate(PredicateSyntax, collection: QueryCollectionPath)
}

/// The collection that the paths of a condition lead through.
enum QueryCollectionPath {
  case none
  case one([PathSyntax.Step])
  case several

  func merged(_ other: QueryCollectionPath) -> QueryCollectionPath {
    switch (self, other) {
    case (.one(let a), .one(let b)):
      PathSyntax(a).description == PathSyntax(b).description ? self : .several
    case (.none, .none): .none
    case (.none, _), (_, .none), (.several, _), (_, .several): .several
    }
  }
}

extension Query {
  /// The value as an operand.
  var expression: ExpressionSyntax {
    switch node {
    case .path(let steps, _): ExpressionSyntax(.path(PathSyntax(steps)), .none)
    case .operand(let expression): expression
    case .predicate(let predicate, _): ExpressionSyntax(.test(predicate), .none)
    }
  }

  /// The first collection on the path.
  var collection: QueryCollectionPath {
    switch node {
    case .path(let steps, .some(let count)): .one(Array(steps[..<count]))
    case .path(_, nil), .operand: .none
    case .predicate(_, let collection): collection
    }
  }

  func following<V>(_ steps: [PathSyntax.Step], isCollection: Bool) -> Query<V> {
    guard case .path(let before, let collection) = node else {
      context.note(KeyPathError(description: "a property of '\(expression)' is no part of a query"))
      return Query<V>(.path(steps, collection: nil), context)
    }
    let all = before.isEmpty ? steps : before + steps
    return Query<V>(
      .path(all, collection: collection ?? (isCollection ? all.count : nil)), context)
  }

  func following<V>(_ step: PathSyntax.Step.Kind) -> Query<V> {
    following([PathSyntax.Step(kind: step, span: .none)], isCollection: false)
  }

  func member<Root: ResultElement, V>(_ path: KeyPath<Root, V>) -> Query<V> {
    following(context.steps(of: path), isCollection: V.self is any QueryableCollection.Type)
  }

  /// Compares the value with one of the program's.
  func compared(
    _ relation: Relation, _ value: some PersistableElement, _ options: StringOptions = []
  ) -> Query<Bool> {
    guard options.contains(.diacriticInsensitive) else {
      return compared(relation, literal(value), options)
    }
    let plain = Query(.operand(ExpressionSyntax(.withoutMarks, [expression])), context)
    let text = ExpressionSyntax(.withoutMarks, [literal(value)])
    return plain.compared(relation, text, options.subtracting(.diacriticInsensitive))
      .through(collection)
  }

  /// The same condition, whose paths lead through a collection.
  private func through(_ collection: QueryCollectionPath) -> Query<T> {
    guard case .predicate(let predicate, _) = node else { return self }
    return Query(.predicate(predicate, collection: collection), context)
  }

  func literal(_ value: some PersistableElement) -> ExpressionSyntax {
    ExpressionSyntax(.literal(context.encode(value)), .none)
  }

  func compared(
    _ relation: Relation, _ right: ExpressionSyntax, _ options: StringOptions = [],
    isMembership: Bool = false
  ) -> Query<Bool> {
    condition(
      .comparison(
        PredicateSyntax.Comparison(
          left: expression, relation: relation, foldsCase: options.contains(.caseInsensitive),
          isMembership: isMembership, right: right, operatorSpan: .none)))
  }

  /// Whether the value, or any of the collection's, is one of some.
  func isOne(of values: [ExpressionSyntax], ofAny isAny: Bool) -> Query<Bool> {
    condition(
      .comparison(
        PredicateSyntax.Comparison(
          left: ExpressionSyntax(expression.kind, quantifier: isAny ? .any : nil, .none),
          relation: .equal, foldsCase: false, isMembership: true,
          right: ExpressionSyntax(.list(values), .none), operatorSpan: .none)))
  }

  func condition(_ kind: PredicateSyntax.Kind) -> Query<Bool> {
    Query<Bool>(.predicate(PredicateSyntax(kind, .none), collection: collection), context)
  }
}

// Bounded by protocols: the compiler does not check a superclass where it looks up a member by its key path.
extension Query where T: ResultElement {
  /// A property of the object, or a field of the projection.
  public subscript<V: Persistable>(dynamicMember path: KeyPath<T, V>) -> Query<V> {
    member(path)
  }
}

/// A link to an object, or an embedded object, in a query.
public protocol QueryableLink {
  associatedtype Target: ResultElement
}

extension Optional: QueryableLink where Wrapped: ResultElement {
  public typealias Target = Wrapped
}

extension Query where T: QueryableLink {
  /// A property of a linked or embedded object; nil without one.
  public subscript<V: Persistable>(dynamicMember path: KeyPath<T.Target, V>) -> Query<V> {
    member(path)
  }
}

extension Query where T: QueryableCollection, T.QueryElement: ResultElement {
  /// A property of the objects of a collection: a comparison holds if it holds for any of them.
  public subscript<V: Persistable>(dynamicMember path: KeyPath<T.QueryElement, V>) -> Query<V> {
    member(path)
  }
}

extension Query where T == Bool {
  /// The condition; a property by itself is true if it is.
  var predicate: PredicateSyntax {
    if case .predicate(let predicate, _) = node { return predicate }
    guard case .predicate(let predicate, _) = compared(.equal, true).node else {
      return PredicateSyntax(.constant(false), .none)
    }
    return predicate
  }

  private func joined(
    _ other: Query<Bool>, _ isJoint: (PredicateSyntax) -> [PredicateSyntax]?,
    _ join: ([PredicateSyntax]) -> PredicateSyntax.Kind
  ) -> Query<Bool> {
    let (left, right) = (predicate, other.predicate)
    let parts = (isJoint(left) ?? [left]) + (isJoint(right) ?? [right])
    return Query(
      .predicate(
        PredicateSyntax(join(parts), .none), collection: collection.merged(other.collection)),
      context)
  }

  /// Whether both conditions are true.
  public static func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
    left.joined(right, { if case .and(let parts) = $0.kind { parts } else { nil } }, { .and($0) })
  }

  /// Whether one of the conditions is true.
  public static func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
    left.joined(right, { if case .or(let parts) = $0.kind { parts } else { nil } }, { .or($0) })
  }

  /// Whether the condition is false.
  public static prefix func ! (condition: Query<Bool>) -> Query<Bool> {
    Query(
      .predicate(
        PredicateSyntax(.not(condition.predicate), .none), collection: condition.collection),
      condition.context)
  }
}
