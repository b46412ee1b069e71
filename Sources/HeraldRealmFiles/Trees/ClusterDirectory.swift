/// The leaves of a cluster tree in order, without their values.
///
///     leaf    slot 0: tagged number of objects, whose keys are 0, 1, …, or ref of the keys
///             slot 1 + i: ref of the leaf of column i
///     inner   slot 0: 0, or ref of the first key of each child; if 0, child i begins at i × 256^depth
///             slot 1: tagged depth; slot 2: tagged number of objects; slots 3…: refs of the children
///
/// To make one costs a look at the beginning of each leaf, of up to 256 objects.
struct ClusterDirectory: Sendable {
  /// One leaf.
  struct Leaf: Sendable {
    /// The offset of the node.
    let ref: Int
    /// What is added to the keys in the leaf.
    let offset: Int64
    /// The number of objects in the leaves before it.
    let first: Int
    /// The number of objects.
    let count: Int
    /// The offset of the array of keys; 0 if the keys are 0, 1, ….
    let keysRef: Int
  }

  /// A part of the tree that cannot be read.
  struct Gap: Sendable {
    /// The number of leaves before it.
    let leafIndex: Int
    /// What is wrong.
    let fault: Fault
  }

  /// The leaves that can be read.
  private(set) var leaves: [Leaf] = []
  /// What cannot be read, in order.
  private(set) var gaps: [Gap] = []
  /// The number of objects in all leaves.
  private(set) var count = 0

  /// The logarithm of the number of objects of a leaf, and of children of an inner node, where there
  /// are no arrays of keys.
  private let levelBits: Int

  /// The number of objects of a leaf.
  static let leafLimit = 256
  /// The number of gaps after which the rest is given up.
  static let gapLimit = 1000

  /// Makes the directory of the tree whose root is at `root`. What cannot be read becomes a gap.
  init(root: Int, _ reader: inout NodeReader) {
    levelBits = Self.hasTinyNodes(root: root, &reader) ? 2 : 8
    var visited: Set<Int> = []
    add(root, offset: 0, depth: 0, &visited, &reader)
  }

  /// Whether the tree was made by a debugging build of the library, with nodes of 4 elements: the first
  /// leaf is full with 4 objects, and the second has not more.
  private static func hasTinyNodes(root: Int, _ reader: inout NodeReader) -> Bool {
    var ref = root
    for _ in 0..<NodeReader.treeDepth {
      guard let node = try? reader.array(at: ref), node.isInner,
        case .some(.none) = try? node.slot(0),
        let first = try? node.requiredRef(InnerCluster.firstChild)
      else { return false }
      ref = first
      guard case .some(.some(1)) = try? node.tagged(1) else { continue }
      guard let second = try? node.requiredRef(InnerCluster.firstChild + 1) else { return false }
      return keyCount(ofLeaf: first, &reader) == 4
        && (keyCount(ofLeaf: second, &reader) ?? leafLimit) <= 4
    }
    return false
  }

  /// The number of objects of a leaf whose keys are 0, 1, …; nil for another leaf.
  private static func keyCount(ofLeaf ref: Int, _ reader: inout NodeReader) -> Int? {
    guard let node = try? reader.array(at: ref), !node.isInner else { return nil }
    return try? node.tagged(0)
  }

  private mutating func add(
    _ ref: Int, offset: Int64, depth: Int, _ visited: inout Set<Int>, _ reader: inout NodeReader
  ) {
    guard gaps.count < Self.gapLimit else { return }
    do throws(Fault) {
      guard depth < NodeReader.treeDepth else { throw Fault(.tooDeep, at: ref) }
      let node = try reader.array(at: ref)
      guard visited.insert(ref).inserted else { throw Fault(.shared, at: ref) }
      if node.isInner {
        try addChildren(of: node, offset: offset, depth: depth, &visited, &reader)
      } else {
        try addLeaf(node, offset: offset, &reader)
      }
    } catch {
      let isLast = gaps.count == Self.gapLimit - 1
      let fault = isLast ? Fault(.tooManyFaults, at: ref) : error
      gaps.append(Gap(leafIndex: leaves.count, fault: fault))
    }
  }

  private mutating func addChildren(
    of node: Node, offset: Int64, depth: Int, _ visited: inout Set<Int>, _ reader: inout NodeReader
  ) throws(Fault) {
    let shape = try InnerCluster(node, levelBits: levelBits, &reader)
    for child in 0..<shape.childCount where gaps.count < Self.gapLimit {
      do throws(Fault) {
        let (sum, overflow) = offset.addingReportingOverflow(try shape.offset(of: child))
        guard !overflow else { throw Fault(.outOfRange, at: node.ref) }
        let ref = try node.requiredRef(InnerCluster.firstChild + child)
        add(ref, offset: sum, depth: depth + 1, &visited, &reader)
      } catch {
        gaps.append(Gap(leafIndex: leaves.count, fault: error))
      }
    }
  }

  private mutating func addLeaf(
    _ node: Node, offset: Int64, _ reader: inout NodeReader
  ) throws(Fault) {
    let (leafCount, keysRef) = try Self.objects(ofLeaf: node, &reader)
    // The keys of the leaf are below this sum, so that adding one to `offset` needs no check.
    guard !offset.addingReportingOverflow(Int64(leafCount)).overflow else {
      throw Fault(.outOfRange, at: node.ref)
    }
    leaves.append(
      Leaf(ref: node.ref, offset: offset, first: count, count: leafCount, keysRef: keysRef))
    count += leafCount
  }

  /// Returns the number of objects of a leaf, and the ref of their keys, or 0.
  static func objects(
    ofLeaf node: Node, _ reader: inout NodeReader
  ) throws(Fault) -> (count: Int, keysRef: Int) {
    let objects: (count: Int, keysRef: Int) =
      switch try node.slot(0) {
      case .none: (0, 0)
      case .tagged(let count): (count, 0)
      case .ref(let ref): (try reader.integers(at: ref).count, ref)
      }
    guard objects.count <= leafLimit else {
      throw Fault(.wrongCount(found: objects.count, expected: leafLimit), at: node.ref)
    }
    return objects
  }

  /// Returns the number of objects of the tree whose root is at `root`, as the root has it.
  static func objectCount(root: Int, _ reader: inout NodeReader) throws(Fault) -> Int {
    let node = try reader.array(at: root)
    guard node.isInner else { return try objects(ofLeaf: node, &reader).count }
    guard let count = try node.tagged(2) else { throw Fault(.missing(element: 2), at: root) }
    return count
  }
}

/// The parts of an inner node of a cluster tree.
private struct InnerCluster {
  static let firstChild = 3

  let childCount: Int
  private let keys: Node?
  /// The logarithm of the number of keys of each child, where there is no array of keys.
  private let shift: Int

  init(_ node: Node, levelBits: Int, _ reader: inout NodeReader) throws(Fault) {
    guard node.count > Self.firstChild else {
      throw Fault(.missing(element: Self.firstChild), at: node.ref)
    }
    childCount = node.count - Self.firstChild
    if let ref = try node.optionalRef(0) {
      keys = try reader.integers(at: ref)
      shift = 0
    } else {
      keys = nil
      guard let depth = try node.tagged(1), (1..<8).contains(depth) else {
        throw Fault(.outOfRange, at: node.ref)
      }
      shift = depth * levelBits
    }
  }

  func offset(of child: Int) throws(Fault) -> Int64 {
    if let keys { return Int64(bitPattern: try keys.unsigned(child)) }
    // At most 2^24 children below 2^56 keys each.
    return Int64(truncatingIfNeeded: UInt64(child) << UInt64(shift))
  }
}
