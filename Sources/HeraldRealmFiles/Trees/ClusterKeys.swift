/// The keys of the objects of one leaf.
struct ClusterKeys {
  private let leaf: ClusterDirectory.Leaf
  /// nil if the keys are 0, 1, ….
  private let keys: Node?

  /// Reads where the keys are.
  init(_ leaf: ClusterDirectory.Leaf, _ reader: inout NodeReader) throws(Fault) {
    self.leaf = leaf
    keys = leaf.keysRef == 0 ? nil : try reader.integers(at: leaf.keysRef)
  }

  /// Returns the key of the object at `index` in the leaf.
  func key(at index: Int) throws(Fault) -> Int64 {
    guard let keys else {
      guard index >= 0, index < leaf.count else {
        throw Fault(.missing(element: index), at: leaf.ref)
      }
      return leaf.offset &+ Int64(index)
    }
    // The keys of tombstones are beyond those of a signed number: the sum wraps as the library's does.
    return leaf.offset &+ Int64(bitPattern: try keys.unsigned(index))
  }

  /// Returns the index in the leaf of the object with `key`; nil if there is none.
  func index(of key: Int64) throws(Fault) -> Int? {
    let relative = UInt64(bitPattern: key &- leaf.offset)
    guard let keys else { return relative < UInt64(leaf.count) ? Int(relative) : nil }
    var lower = 0
    var upper = keys.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if try keys.unsigned(middle) < relative { lower = middle + 1 } else { upper = middle }
    }
    guard lower < keys.count, try keys.unsigned(lower) == relative else { return nil }
    return lower
  }
}

extension ClusterDirectory {
  /// Returns the index of the leaf that has the object at `position`; nil if there is none.
  ///
  /// Cost: logarithmic in the number of leaves.
  func leafIndex(ofPosition position: Int) -> Int? {
    guard position >= 0, position < count else { return nil }
    var lower = 0
    var upper = leaves.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if leaves[middle].first <= position { lower = middle + 1 } else { upper = middle }
    }
    return lower - 1
  }

  /// Returns the leaf that has the object with `key`, if any has; nil if the key is before all.
  ///
  /// Cost: logarithmic in the number of leaves.
  func leaf(of key: Int64) -> Leaf? {
    var lower = 0
    var upper = leaves.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if leaves[middle].offset <= key { lower = middle + 1 } else { upper = middle }
    }
    return lower > 0 ? leaves[lower - 1] : nil
  }
}
