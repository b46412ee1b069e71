public import Herald

// A list is a class; it changes in place where an array would be assigned.

extension List: MutableCollection {
  /// The elements at some indices. Assigning others replaces them.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// Turns the order of the elements around.
  public func reverse() { arrange(indices.reversed()) }

  /// Sorts the elements; equal ones keep their order.
  public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    let elements = Array(self)
    arrange(try indices.sorted { try areInIncreasingOrder(elements[$0], elements[$1]) })
  }

  /// Replaces the elements at some indices by others.
  public func replaceSubrange(
    _ range: some RangeExpression<Int>, with elements: some Sequence<Element>
  ) {
    replaceSubrange(range.relative(to: self), with: elements)
  }
}

extension List where Element: Comparable {
  /// Sorts the elements; equal ones keep their order.
  public func sort() { sort(by: <) }
}
