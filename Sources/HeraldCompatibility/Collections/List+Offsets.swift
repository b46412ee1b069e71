public import Herald

// An `IndexSet` is a sequence of integers, and so what these take.

extension List {
  /// Removes the elements at some indices.
  public func remove(atOffsets offsets: some Sequence<Int>) {
    for index in Set(offsets).sorted(by: >) { remove(at: index) }
  }

  /// Moves the elements at some indices before the one that is at `destination` now, or to the end, in their order.
  public func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    var moved = Array(0..<count)
    let sources = Set(offsets).sorted()
    for index in sources.reversed() { moved.remove(at: index) }
    let place = moved.firstIndex { $0 >= destination } ?? moved.count
    moved.insert(contentsOf: sources, at: place)
    arrange(moved)
  }

  /// Moves the elements into the order of the indices that they have now.
  func arrange(_ order: [Int]) {
    // Brings each element to its place, from the first one on.
    var present = Array(0..<count)
    for (place, wanted) in order.enumerated() where present[place] != wanted {
      guard let source = present.firstIndex(of: wanted) else { continue }
      present.insert(present.remove(at: source), at: place)
      move(from: source, to: place)
    }
  }
}

extension StoredCollection {
  /// The elements at some indices, in their order.
  public func objects(at indices: some Sequence<Int>) -> [Element] {
    Set(indices).sorted().map { self[$0] }
  }
}

extension List {
  /// Removes every element.
  public func removeAll(keepingCapacity: Bool) { removeAll() }

  /// Removes the elements at some indices.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    removeSubrange(range.relative(to: self))
  }
}
