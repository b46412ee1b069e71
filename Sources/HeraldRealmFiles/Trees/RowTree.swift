/// The leaves of a column of formats up to 9 in order, without their values.
///
/// To make one costs a look at each inner node: one for a thousand leaves of a thousand rows.
struct RowTree: Sendable {
  /// One leaf, or a part of the tree that cannot be read.
  struct Leaf: Sendable {
    /// The offset of the node.
    let ref: Int
    /// The number of rows before it.
    let first: Int
    /// The number of rows, as the tree has it.
    let count: Int
    /// Why the part cannot be read; nil for a leaf.
    var fault: Fault?
  }

  /// The leaves.
  private(set) var leaves: [Leaf] = []
  /// The number of parts that cannot be read.
  private var gapCount = 0

  /// The number of rows of a leaf.
  static let leafLimit = 1000
  /// The number of rows of a block that is read at once.
  static let blockLength = 1000

  /// The number of rows, not more than the leaves can have.
  var count: Int {
    guard let last = leaves.last else { return 0 }
    let (end, overflow) = last.first.addingReportingOverflow(last.count)
    let limit = leaves.count * Self.leafLimit
    return overflow ? limit : min(end, limit)
  }

  /// Makes the directory of the tree at `root`, which has `count` rows.
  init(root: Int, count: Int, _ reader: inout NodeReader) throws(Fault) {
    var visited: Set<Int> = []
    try add(root, rows: 0..<count, depth: 0, &visited, &reader)
  }

  private mutating func add(
    _ ref: Int, rows: Range<Int>, depth: Int, _ visited: inout Set<Int>, _ reader: inout NodeReader
  ) throws(Fault) {
    guard depth < NodeReader.treeDepth else { throw Fault(.tooDeep, at: ref) }
    guard visited.insert(ref).inserted else { throw Fault(.shared, at: ref) }
    let node = try reader.node(at: ref)
    guard node.isInner else {
      leaves.append(Leaf(ref: ref, first: rows.lowerBound, count: rows.count))
      return
    }
    let inner = try InnerNode(node)
    let offsets = try inner.offsets(&reader)
    for index in inner.children {
      let child = try Self.rows(ofChild: index, of: inner, offsets, in: rows)
      do throws(Fault) {
        try add(node.requiredRef(index), rows: child, depth: depth + 1, &visited, &reader)
      } catch {
        try addGap(error, rows: child)
      }
    }
  }

  private static func rows(
    ofChild index: Int, of inner: InnerNode, _ offsets: InnerNode.Offsets, in rows: Range<Int>
  ) throws(Fault) -> Range<Int> {
    let isLast = index == inner.children.upperBound - 1
    let lower = try inner.offset(of: index, offsets)
    let upper = isLast ? inner.valueCount : try inner.offset(of: index + 1, offsets)
    let (end, overflow) = rows.lowerBound.addingReportingOverflow(upper)
    guard !overflow, lower <= upper, end <= rows.upperBound else {
      throw Fault(.outOfRange, at: inner.node.ref)
    }
    return rows.lowerBound + lower..<end
  }

  /// Adds what cannot be read of `rows`, after the leaves that were read of them.
  private mutating func addGap(_ fault: Fault, rows: Range<Int>) throws(Fault) {
    gapCount += 1
    guard gapCount < ClusterDirectory.gapLimit else { throw Fault(.tooManyFaults) }
    let start = max(rows.lowerBound, leaves.last.map { $0.first + $0.count } ?? 0)
    guard start < rows.upperBound else { return }
    leaves.append(
      Leaf(ref: fault.position ?? 0, first: start, count: rows.upperBound - start, fault: fault))
  }

  /// Returns the indices of the leaves that have rows of `rows`.
  ///
  /// Cost: logarithmic in the number of leaves, and proportional to those returned.
  func leafIndices(of rows: Range<Int>) -> Range<Int> {
    var lower = 0
    var upper = leaves.count
    while lower < upper {
      let middle = (lower + upper) / 2
      let leaf = leaves[middle]
      if leaf.first + leaf.count <= rows.lowerBound { lower = middle + 1 } else { upper = middle }
    }
    var end = lower
    while end < leaves.count, leaves[end].first < rows.upperBound { end += 1 }
    return lower..<end
  }
}
