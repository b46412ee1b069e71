package import HeraldModel

/// A condition on one object, bound to a schema.
package struct BoundPredicate: Sendable {
  /// True where every object matches: nothing needs to be evaluated.
  package let isAlways: Bool
  /// The paths, from the object, whose changes can change the answer: every property that the
  /// predicate reads, with the links, lists and backlinks on the way.
  package let dependencies: [PropertyPath]
  private let test: @Sendable (ObjectNumber, any ObjectReader) -> Bool

  /// Matches every object.
  package static let always = BoundPredicate(isAlways: true, dependencies: []) { _, _ in true }

  package init(
    isAlways: Bool = false, dependencies: [PropertyPath],
    _ test: @escaping @Sendable (ObjectNumber, any ObjectReader) -> Bool
  ) {
    self.isAlways = isAlways
    self.dependencies = dependencies
    self.test = test
  }

  package func matches(_ number: ObjectNumber, _ reader: any ObjectReader) -> Bool {
    isAlways || test(number, reader)
  }
}
