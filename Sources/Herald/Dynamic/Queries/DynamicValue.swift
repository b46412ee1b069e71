import HeraldEngine
package import HeraldModel
import HeraldObservation
package import HeraldQuery

/// A value of queries and collections at the session's version: `(Order where paid == false).@sum.amount`.
package struct DynamicValue {
  /// The session that the value belongs to.
  package let store: DynamicStore
  private let bound: BoundValue
  private let condition: ColumnQuery?

  /// One delivery to an observer of the value.
  package enum Change {
    case initial(Value)
    /// The value differs from that of the last delivery, or a condition begins to hold.
    case changed(old: Value, new: Value)
    /// The value can no longer be computed; the last call.
    case error(HeraldError)
  }

  fileprivate init(_ store: DynamicStore, _ bound: BoundValue, when condition: ColumnQuery?) {
    self.store = store
    self.bound = bound
    self.condition = condition
  }

  /// Observes the value: `initial` at the next delivery, then each delivery after which it differs from the last one. With
  /// a condition, each after which that holds and did not before. The last one, when the owner of a collection is deleted,
  /// is the value of an empty collection. Cost: the queries run once; a number of rows or an aggregate is followed as
  /// observed rows and groups are, and what else the value reads is read again when it changes. Errors: `closed`,
  /// `observeAfterChange` in a transaction that has changed something.
  package func observe(_ block: @escaping (Change) throws -> Void) throws -> ObservationToken {
    if store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    weak var observer: ObservationToken?
    let token = try store.token(for: .value(bound, when: condition)) { _, report in
      if let error = report.failure { return try block(.error(error)) }
      if case .value(let old, let new, _) = report {
        try block(.changed(old: old, new: new))
      } else if let value = observer?.groups(in: 0..<1)?.first?.first {
        try block(.initial(value))
      }
    }
    observer = token
    return token
  }
}

extension DynamicStore {
  /// A value that can be observed.
  ///
  /// - Parameter condition: a predicate of `value`; nil to be notified of each difference.
  ///
  /// Errors: `QueryError`.
  package func value(
    of expression: ExpressionSyntax, when condition: PredicateSyntax?, names: any QueryNames
  ) throws -> DynamicValue {
    try run { reader in
      let bound = try BoundValue.bind(expression, schema: schema, names: names, reader: reader)
      let query = try condition.map { predicate in
        try ColumnQuery.bind(
          [QueryTail(predicate: predicate, stages: [], span: predicate.span)],
          to: [(name: "value", element: bound.element)], schema: schema, names: names,
          reader: reader)
      }
      return DynamicValue(self, bound, when: query)
    }
  }
}
