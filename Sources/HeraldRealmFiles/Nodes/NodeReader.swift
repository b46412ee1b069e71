/// Reads nodes of one file, and limits what reading may cost.
///
/// A node has one parent in a whole file, so that no pass over the objects of a class reads more
/// bytes than the file has. A damaged file can have nodes with many parents, or that contain
/// themselves; the limits end what would not end, or would fill the memory.
struct NodeReader {
  /// The file.
  let bytes: FileBytes
  /// The file's format.
  let format: Int
  /// The index of the class in the file's list for each place of a table; -1 if there is none.
  var tableIndices: [Int]
  /// The bytes and values that may still be read in this pass.
  private(set) var budget: Int
  /// The bytes of memory that the value which is being read may still take.
  private var allowance = 0
  /// How many collections the value which is being read is inside of.
  private var depth = 0

  /// How deep trees can be: with two children a node, more objects than any file has.
  static let treeDepth = 40
  /// How deep collections can be nested; the documented system refuses more than 100.
  private static let collectionDepth = 100

  /// Makes a reader for one pass.
  init(_ bytes: FileBytes, format: Int, tableIndices: [Int] = []) {
    self.bytes = bytes
    self.format = format
    self.tableIndices = tableIndices
    budget = Self.budget(bytes)
  }

  /// What one pass may cost: a byte counts one, and so does an element of a collection, of which a
  /// node of 8 bytes has up to a thousand.
  private static func budget(_ bytes: FileBytes) -> Int { bytes.count * 128 + 1 << 24 }

  /// Begins another pass.
  mutating func renewBudget() { budget = Self.budget(bytes) }

  /// Reads the node at `ref`. Throws if it is none, or not wholly in the file.
  @inline(__always)
  mutating func node(at ref: Int) throws(Fault) -> Node {
    let node = try Node(bytes, at: ref)
    budget -= Node.headerLength + node.payloadLength
    guard budget >= 0 else { throw Fault(.tooMuch, at: ref) }
    return node
  }

  /// Reads the array of refs at `ref`.
  mutating func array(at ref: Int) throws(Fault) -> Node {
    let node = try node(at: ref)
    guard node.hasRefs, node.form == .bits else { throw Fault(.wrongNode, at: ref) }
    return node
  }

  /// Reads the array of integers at `ref`.
  mutating func integers(at ref: Int) throws(Fault) -> Node {
    let node = try node(at: ref)
    guard !node.hasRefs, !node.isInner, node.form == .bits else { throw Fault(.wrongNode, at: ref) }
    return node
  }

  /// Returns the index of the class whose table has this place; -1 if there is none.
  func tableIndex(ofPlace place: Int) -> Int {
    place >= 0 && place < tableIndices.count ? tableIndices[place] : -1
  }

  /// The memory that a value can take: a million elements, and as many as the file has if each takes
  /// four bytes there.
  private var valueLimit: Int { (1 << 20) * MemoryLayout<RealmValue>.stride + bytes.count * 6 }
  /// The memory after which no more values are collected.
  var collectionLimit: Int { 1 << 22 + bytes.count / 2 }

  /// Prepares for another value.
  mutating func beginValue() {
    allowance = valueLimit
    depth = 0
  }

  /// The memory that the value which is being read takes so far, in bytes; small values take none.
  var memoryOfValue: Int { valueLimit - allowance }

  /// Counts elements of collections of the value that is being read. Throws if there are too many.
  mutating func claim(_ count: Int, at ref: Int) throws(Fault) {
    allowance -= count * MemoryLayout<RealmValue>.stride
    budget -= count
    guard allowance >= 0, budget >= 0 else { throw Fault(.tooMuch, at: ref) }
  }

  /// The number of elements that the value which is being read may still have.
  var elementAllowance: Int { max(0, allowance / MemoryLayout<RealmValue>.stride) }

  /// Counts bytes that are copied for the value which is being read. Throws if there are too many.
  mutating func claimBytes(_ count: Int, at ref: Int) throws(Fault) {
    allowance -= count
    guard allowance >= 0 else { throw Fault(.tooMuch, at: ref) }
  }

  /// Begins a collection within a value. Throws if there are too many within each other.
  mutating func enter(at ref: Int) throws(Fault) {
    guard depth < Self.collectionDepth else { throw Fault(.tooDeep, at: ref) }
    depth += 1
  }

  /// Ends a collection within a value.
  mutating func leave() { depth -= 1 }
}
