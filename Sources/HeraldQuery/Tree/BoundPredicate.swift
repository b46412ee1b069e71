package import HeraldModel

/// A condition on one object, bound to a schema.
package struct BoundPredicate: Sendable {
  /// The paths, from the object, whose changes can change the answer: every property that the
  /// predicate reads, with the links, lists and backlinks on the way.
  package let dependencies: [PropertyPath]
  /// The narrowest span that the condition keeps one property of the object itself within; nil where
  /// it is of another form.
  package let span: ValueSpan?
  let condition: Condition
  /// The class of the objects; nil where the predicate is about no object.
  let root: ClassID?

  /// Matches every object.
  package static let always = BoundPredicate(.constant(true), root: nil)

  init(_ condition: Condition, root: ClassID?) {
    self.condition = condition
    self.root = root
    var paths: [PropertyPath] = []
    if root != nil { condition.collectDependencies(DependencyScope(), into: &paths) }
    dependencies = paths
    span = root == nil ? nil : condition.span
  }

  /// A predicate that is a function: always evaluated object by object. It must not hold outside
  /// of `span`.
  package init(
    isAlways: Bool = false, dependencies: [PropertyPath], span: ValueSpan? = nil,
    _ test: @escaping @Sendable (ObjectNumber, any ObjectReader) -> Bool
  ) {
    self.dependencies = dependencies
    self.span = span
    condition = isAlways ? .constant(true) : .function(test)
    root = nil
  }

  /// True where every object matches: nothing needs to be evaluated.
  package var isAlways: Bool {
    if case .constant(true) = condition { true } else { false }
  }

  /// Whether one object matches; for a predicate about no object, whether it holds.
  package func matches(_ number: ObjectNumber, _ reader: any ObjectReader) -> Bool {
    condition.matches(Scope(reader: reader, root: ObjectID(root ?? ClassID(0), number)))
  }
}
