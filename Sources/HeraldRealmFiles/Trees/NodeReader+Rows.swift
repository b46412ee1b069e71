extension NodeReader {
  /// Returns the number of rows of a column of formats up to 9, as its root has it.
  mutating func rowCount(of column: ColumnLayout) throws(Fault) -> Int {
    let root = try root(of: column, nanoseconds: false)
    let node = try node(at: root)
    return node.isInner ? try InnerNode(node).valueCount : try leafCount(node, column)
  }

  /// Makes the directory of a column of formats up to 9.
  mutating func rowTree(of column: ColumnLayout) throws(Fault) -> RowTree {
    let root = try root(of: column, nanoseconds: false)
    return try RowTree(root: root, count: try rowCount(of: column), &self)
  }

  /// Makes the directory of the nanoseconds of a column of formats 5 to 9; nil for other types.
  mutating func nanosecondTree(of column: ColumnLayout) throws(Fault) -> RowTree? {
    guard column.isPairOfTrees else { return nil }
    let root = try root(of: column, nanoseconds: true)
    let node = try node(at: root)
    let count = node.isInner ? try InnerNode(node).valueCount : node.count
    return try RowTree(root: root, count: count, &self)
  }

  private mutating func root(of column: ColumnLayout, nanoseconds: Bool) throws(Fault) -> Int {
    guard column.isPairOfTrees else { return column.address }
    return try array(at: column.address).requiredRef(nanoseconds ? 1 : 0)
  }

  private mutating func leafCount(_ node: Node, _ column: ColumnLayout) throws(Fault) -> Int {
    if column.collection != .none { return node.count }
    if column.isPairOfTrees { return max(0, node.count - 1) }
    return max(0, try ColumnLeaf(node.ref, column.form, &self).count)
  }
}
