package import HeraldModel

/// A predicate on one object, bound to a schema.
package struct BoundPredicate: Sendable {
  /// The paths from the object whose changes can change the result: every property that the predicate
  /// reads, with the links, lists and backlinks that lead to it.
  package let dependencies: [PropertyPath]
  /// The narrowest interval that contains one property of every matching object; nil if the condition
  /// implies none.
  package let span: ValueInterval?
  /// Whether the condition has values that binding read from the store: those of paths from a variable or from an
  /// object by its key, and of other queries. Bound at another version, it may have others.
  package let hasValuesOfStore: Bool
  let condition: Condition
  /// The class of the objects; nil if the predicate depends on no object.
  let root: ClassID?
  /// The shape that it was made from; nil for another one.
  package let shape: QueryShape?

  /// Matches every object.
  package static let always = BoundPredicate(.constant(true), root: nil)

  init(_ condition: Condition, root: ClassID?, hasValuesOfStore: Bool = false) {
    self.condition = condition
    self.hasValuesOfStore = hasValuesOfStore
    self.root = root
    shape = nil
    var paths: [PropertyPath] = []
    if root != nil { condition.collectDependencies(DependencyScope(), into: &paths) }
    dependencies = paths
    span = root == nil ? nil : condition.span
  }

  /// Makes a predicate from a function, which is evaluated object by object. It must not hold outside
  /// `span`.
  package init(
    isAlways: Bool = false, dependencies: [PropertyPath], span: ValueInterval? = nil,
    _ test: @escaping @Sendable (ObjectNumber, any ObjectReader) -> Bool
  ) {
    self.dependencies = dependencies
    hasValuesOfStore = false
    self.span = span
    condition = isAlways ? .constant(true) : .function(test)
    root = nil
    shape = nil
  }

  /// Makes a predicate of a condition of which all else is known.
  init(
    _ condition: Condition, _ dependencies: [PropertyPath], span: ValueInterval?,
    hasValuesOfStore: Bool, root: ClassID?, shape: QueryShape?
  ) {
    self.dependencies = dependencies
    self.span = span
    self.hasValuesOfStore = hasValuesOfStore
    self.condition = condition
    self.root = root
    self.shape = shape
  }

  /// The same predicate in less memory. O(the size of the condition).
  var compacted: BoundPredicate {
    BoundPredicate(
      condition.compacted, dependencies, span: span, hasValuesOfStore: hasValuesOfStore, root: root,
      shape: shape)
  }

  /// Whether every object matches, so that nothing has to be evaluated.
  package var isAlways: Bool {
    if case .constant(true) = condition { true } else { false }
  }

  /// Returns whether one object matches; for a predicate that depends on no object, whether it holds.
  ///
  /// - Parameter known: The values that other predicates have read at `reader`'s version.
  package func matches(
    _ number: ObjectNumber, _ reader: any ObjectReader, _ known: KnownValues? = nil
  ) -> Bool {
    let object = ObjectID(root ?? ClassID(0), number)
    if let known { return condition.matches(object, reader, known) }
    return condition.matches(EvaluationScope(reader: reader, root: object))
  }
}
