/// The parts of an inner node of a B+ tree of values: of a collection, or of a column of formats
/// up to 9.
///
///     slot 0          tagged number of values of each child but the last, or ref of the offsets
///     slots 1 … n-2   refs of the children
///     slot n-1        tagged number of values
struct InnerNode {
  /// The node.
  let node: Node
  /// The indices of the refs of the children.
  var children: Range<Int> { 1..<node.count - 1 }
  /// The number of values, as the node has it.
  let valueCount: Int

  /// Checks the form of an inner node.
  init(_ node: Node) throws(Fault) {
    guard node.count >= 2, let count = try node.tagged(node.count - 1) else {
      throw Fault(.missing(element: node.count - 1), at: node.ref)
    }
    self.node = node
    valueCount = count
  }

  /// Returns the number of values before the child at `index` of `children`.
  func offset(of index: Int, _ offsets: Offsets) throws(Fault) -> Int {
    guard index > children.lowerBound else { return 0 }
    let child = index - children.lowerBound
    let offset: Int
    switch offsets {
    case .even(let size):
      let (product, overflow) = size.multipliedReportingOverflow(by: child)
      guard !overflow else { throw Fault(.outOfRange, at: node.ref) }
      offset = product
    case .array(let array):
      guard let number = Int(exactly: try array.unsigned(child - 1)) else {
        throw Fault(.outOfRange, at: node.ref)
      }
      offset = number
    }
    guard offset <= valueCount else { throw Fault(.outOfRange, at: node.ref) }
    return offset
  }

  /// Where the numbers of values before the children are.
  enum Offsets {
    /// All children but the last have this many values.
    case even(Int)
    /// The offsets of all children but the first.
    case array(Node)
  }

  /// Reads where the offsets are.
  func offsets(_ reader: inout NodeReader) throws(Fault) -> Offsets {
    switch try node.slot(0) {
    case .none: throw Fault(.missing(element: 0), at: node.ref)
    case .tagged(let size): .even(size)
    case .ref(let ref): .array(try reader.integers(at: ref))
    }
  }
}
