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
  package let node: QueryNode
  package let context: QueryContext

  package init(_ node: QueryNode, _ context: QueryContext) {
    self.node = node
    self.context = context
  }
}

/// The syntax of a query.
package enum QueryNode {
  /// A path from the object, and how many of its steps lead to its first collection.
  case path([PathSyntax.Step], collection: Int?)
  /// A value that is not a path, and the collection that all its paths lead through.
  case operand(ExpressionSyntax, collection: QueryCollectionPath = .none)
  /// A condition, and the collection that all its paths lead through.
  case predicate(PredicateSyntax, collection: QueryCollectionPath)
}

/// The collection that the paths of a condition lead through.
package enum QueryCollectionPath {
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
  /// The value as an operand; of the elements of a collection, any of them.
  package var expression: ExpressionSyntax {
    switch node {
    case .path(let steps, let collection):
      ExpressionSyntax(
        .path(PathSyntax(steps)),
        quantifier: collection == nil || T.self is any QueryableCollection.Type ? nil : .any, .none)
    case .operand(let expression, _): expression
    case .predicate(let predicate, _): ExpressionSyntax(.test(predicate), .none)
    }
  }

  /// The first collection on the path.
  var collection: QueryCollectionPath {
    switch node {
    case .path(let steps, .some(let count)): .one(Array(steps[..<count]))
    case .path(_, nil): .none
    case .operand(_, let collection), .predicate(_, let collection): collection
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
    _ relation: Relation, _ value: some Storable, _ options: StringOptions = []
  ) -> Query<Bool> {
    if let part = value.embeddedObject, case .none = collection {
      let isEqual = hasContents(of: part)
      return relation == .equal ? isEqual : !isEqual
    }
    guard options.contains(.diacriticInsensitive) else {
      return compared(relation, literal(value), options)
    }
    let text = ExpressionSyntax(.withoutMarks, [literal(value)])
    return withoutMarks.compared(relation, text, options.subtracting(.diacriticInsensitive))
  }

  /// The text without the marks of its letters.
  var withoutMarks: Query<T> {
    Query(
      .operand(ExpressionSyntax(.withoutMarks, [expression]), collection: collection), context)
  }

  func literal(_ value: some Storable) -> ExpressionSyntax {
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

  /// Whether the value, or any element of a collection, is one of some.
  func isOne(of values: [ExpressionSyntax]) -> Query<Bool> {
    let isWhole = T.self is any QueryableCollection.Type
    return condition(
      .comparison(
        PredicateSyntax.Comparison(
          left: isWhole ? ExpressionSyntax(expression.kind, quantifier: .any, .none) : expression,
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
  package var predicate: PredicateSyntax {
    if case .predicate(let predicate, _) = node { return predicate }
    guard case .one = collection, case .predicate(let predicate, _) = compared(.equal, true).node
    else { return PredicateSyntax(.condition(expression), .none) }
    return predicate
  }

  private func joined(
    _ other: Query<Bool>, _ isJoint: (PredicateSyntax) -> [PredicateSyntax]?,
    _ join: ([PredicateSyntax]) -> PredicateSyntax.Kind
  ) -> Query<Bool> {
    let (left, right) = (predicate, other.predicate)
    let parts = (isJoint(left) ?? [left]) + [right]
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
