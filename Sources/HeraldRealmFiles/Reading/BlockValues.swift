/// The values of one property for the objects of one block: nodes, from which values are read.
///
/// A class, since to copy the nodes for each value takes longer than to read the value.
final class BlockValues {
  private let layout: ColumnLayout
  private let parts: [Part]
  /// The leaf that has all values of the block; nil if there are several, or collections.
  let onlyLeaf: ColumnLeaf?

  /// The values of consecutive objects that are in one leaf.
  private struct Part {
    /// The index in the block after its last object.
    let end: Int
    /// What is subtracted from an index in the block to have one in the leaf.
    let shift: Int
    let content: Content
  }

  private enum Content {
    case values(ColumnLeaf)
    /// The refs of collections.
    case collections(Node)
    case fault(Fault)
  }

  /// Prepares the column in the cluster `node`, which has `count` objects.
  init(_ layout: ColumnLayout, cluster node: Node, count: Int, _ reader: inout NodeReader) {
    self.layout = layout
    let content = Self.content { () throws(Fault) in
      try Self.content(at: node.requiredRef(1 + layout.address), layout, &reader)
    }
    parts = [Part(end: count, shift: 0, content: content)]
    if case .values(let leaf) = content { onlyLeaf = leaf } else { onlyLeaf = nil }
  }

  /// Prepares the column for `rows` of formats up to 9.
  init(_ column: TreeColumn, rows: Range<Int>, _ reader: inout NodeReader) {
    layout = column.layout
    var parts: [Part] = []
    for index in column.tree.leafIndices(of: rows) {
      let leaf = column.tree.leaves[index]
      let content = Self.content { () throws(Fault) in
        if let fault = leaf.fault { throw fault }
        guard let nanoseconds = column.nanoseconds else {
          return try Self.content(at: leaf.ref, column.layout, &reader)
        }
        let pair = try Self.pair(index, column.tree, nanoseconds)
        return .values(
          try ColumnLeaf(seconds: pair.seconds, nanoseconds: pair.nanoseconds, &reader))
      }
      let end = min(leaf.first + leaf.count, rows.upperBound) - rows.lowerBound
      parts.append(Part(end: end, shift: leaf.first - rows.lowerBound, content: content))
    }
    self.parts = parts
    if parts.count == 1, parts[0].shift == 0, case .values(let leaf) = parts[0].content {
      onlyLeaf = leaf
    } else {
      onlyLeaf = nil
    }
  }

  private static func content(_ body: () throws(Fault) -> Content) -> Content {
    do throws(Fault) { return try body() } catch { return .fault(error) }
  }

  private static func content(
    at ref: Int, _ layout: ColumnLayout, _ reader: inout NodeReader
  ) throws(Fault) -> Content {
    switch layout.collection {
    case .none: .values(try ColumnLeaf(ref, layout.form, &reader))
    case .list, .set, .dictionary: .collections(try reader.array(at: ref))
    }
  }

  /// Both trees have the same leaves, as rows are added to both.
  private static func pair(
    _ index: Int, _ seconds: RowTree, _ nanoseconds: RowTree
  ) throws(Fault) -> (seconds: Int, nanoseconds: Int) {
    let leaf = seconds.leaves[index]
    guard index < nanoseconds.leaves.count, nanoseconds.leaves[index].first == leaf.first else {
      throw Fault(.wrongNode, at: leaf.ref)
    }
    if let fault = nanoseconds.leaves[index].fault { throw fault }
    return (leaf.ref, nanoseconds.leaves[index].ref)
  }

  /// What is wrong with all values; nil if some can perhaps be read.
  var fault: Fault? {
    guard parts.count == 1, case .fault(let fault) = parts[0].content else { return nil }
    return fault
  }

  /// Appends the values of the objects at `indices` of the block; null for those that are damaged,
  /// with which it calls `report`. Ends early if the values take much memory.
  func append(
    _ indices: Range<Int>, to values: inout [RealmValue], _ reader: inout NodeReader,
    report: (Int, Fault) -> Void
  ) {
    if let leaf = onlyLeaf, leaf.isSmall {
      // Without counting what no value can take, this takes a third of the time.
      for index in indices {
        do throws(Fault) {
          values.append(try leaf.value(at: index, &reader))
        } catch {
          values.append(.null)
          report(index, error)
        }
      }
      return
    }
    let limit = reader.collectionLimit
    var memory = 0
    for index in indices where memory <= limit {
      do throws(Fault) {
        values.append(try value(at: index, &reader))
      } catch {
        values.append(.null)
        report(index, error)
      }
      memory += reader.memoryOfValue
    }
  }

  /// Returns the value of the object at `index` in the block.
  func value(at index: Int, _ reader: inout NodeReader) throws(Fault) -> RealmValue {
    reader.beginValue()
    if let onlyLeaf { return try onlyLeaf.value(at: index, &reader) }
    guard let part = parts.count == 1 ? parts[0] : parts.first(where: { index < $0.end }),
      index < part.end
    else { throw Fault(.missing(element: index), at: layout.address) }
    switch part.content {
    case .values(let leaf):
      return try leaf.value(at: index - part.shift, &reader)
    case .collections(let node):
      return try collection(index - part.shift, of: node, &reader)
    case .fault(let fault): throw fault
    }
  }

  /// Returns the bytes of the text of the object at `index` in the block; nil for null, and if the
  /// values are not texts.
  func textBytes(at index: Int, _ reader: inout NodeReader) throws(Fault) -> [UInt8]? {
    guard let part = parts.first(where: { index < $0.end }) else {
      throw Fault(.missing(element: index), at: layout.address)
    }
    switch part.content {
    case .collections: return nil
    case .fault(let fault): throw fault
    case .values(let leaf):
      return switch try leaf.blob(at: index - part.shift, &reader) {
      case nil: nil
      case .inPlace(let bytes): Array(bytes)
      case .copied(let bytes): bytes
      }
    }
  }

  private func collection(
    _ index: Int, of node: Node, _ reader: inout NodeReader
  ) throws(Fault) -> RealmValue {
    guard index >= 0, index < node.count else {
      throw Fault(.missing(element: index), at: node.ref)
    }
    let ref = try node.optionalRef(index)
    switch layout.collection {
    case .none: throw Fault(.wrongNode, at: node.ref)
    case .list: return .list(try values(at: ref, &reader))
    case .set: return .set(try values(at: ref, &reader))
    case .dictionary:
      guard let ref else { return .dictionary([]) }
      return .dictionary(try reader.dictionary(at: ref, keys: layout.keys))
    }
  }

  private func values(at ref: Int?, _ reader: inout NodeReader) throws(Fault) -> [RealmValue] {
    guard let ref else { return [] }
    let root = layout.isSubtable ? try reader.array(at: ref).requiredRef(0) : ref
    return try reader.collection(layout.form, at: root)
  }
}

/// A column of formats up to 9.
struct TreeColumn {
  /// How it is stored.
  let layout: ColumnLayout
  /// Its leaves; of dates, those of the seconds.
  let tree: RowTree
  /// Of dates, the leaves of the nanoseconds.
  let nanoseconds: RowTree?

  /// Makes the directory of the column.
  init(_ layout: ColumnLayout, _ reader: inout NodeReader) throws(Fault) {
    self.layout = layout
    tree = try reader.rowTree(of: layout)
    nanoseconds = try reader.nanosecondTree(of: layout)
  }
}
