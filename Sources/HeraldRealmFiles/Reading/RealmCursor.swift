/// The objects of a class in the order of their keys, a block of at most a thousand at a time.
///
///     var cursor = try file.objects(of: 0)
///     while try cursor.nextBlock() {
///       for index in 0..<cursor.count {
///         print(cursor.key(at: index), try cursor.value(of: 0, at: index))
///       }
///     }
///
/// A method that throws `RealmFileError` leaves the cursor as it can go on: what is damaged spoils
/// only itself. A cursor reads at most 128 times the bytes of the file between two calls of `move`, of
/// which a whole file needs one: a damaged file may refer to the same bytes any number of times.
public struct RealmCursor: ~Copyable {
  /// The class.
  public let table: RealmClass
  /// The index of the block's first object among those of the class that can be read.
  public private(set) var firstPosition = 0
  /// The number of objects of the block: 0 before the first `nextBlock`.
  public private(set) var count = 0

  private let layout: TableLayout
  private let source: Source
  private var reader: NodeReader
  private var block = Block.none
  private var columns: [BlockValues?]
  private var rowColumns: [Result<TreeColumn, Fault>?]
  private var rowLeafCount = 0
  private var nextLeaf = 0
  private var nextGap = 0

  /// Where blocks come from.
  private enum Source {
    case clusters(ClusterDirectory)
    case rows(Int)
  }

  /// The block that is being read.
  private enum Block {
    case none
    case cluster(Node, ClusterKeys)
    case rows(Range<Int>)
  }

  /// Prepares to read the objects of the table at `index`.
  init(_ contents: FileContents, table index: Int, directory: ClusterDirectory?) throws(Fault) {
    table = contents.tables[index]
    layout = contents.layouts[index]
    reader = contents.reader()
    columns = Array(repeating: nil, count: layout.columns.count)
    rowColumns = []
    switch layout.rows {
    case .none: source = .rows(0)
    case .clusters: source = directory.map { .clusters($0) } ?? .rows(0)
    case .columns(let first):
      rowColumns = Array(repeating: nil, count: layout.columns.count)
      source = .rows(try reader.rowTree(of: first).count)
    }
  }

  /// Moves to the next block; false if there is none.
  ///
  /// Throws if the next block cannot be read; the following call moves to the block after it. Cost:
  /// that of looking at the beginning of one node.
  public mutating func nextBlock() throws -> Bool {
    block = .none
    for index in columns.indices { columns[index] = nil }
    firstPosition += count
    count = 0
    switch source {
    case .clusters(let directory): return try nextCluster(directory)
    case .rows(let rowCount):
      let rows = firstPosition..<min(rowCount, firstPosition + RowTree.blockLength)
      guard !rows.isEmpty else { return false }
      block = .rows(rows)
      count = rows.count
      return true
    }
  }

  private mutating func nextCluster(_ directory: ClusterDirectory) throws -> Bool {
    if nextGap < directory.gaps.count, directory.gaps[nextGap].leafIndex <= nextLeaf {
      nextGap += 1
      throw RealmFileError(directory.gaps[nextGap - 1].fault, className: table.name)
    }
    guard nextLeaf < directory.leaves.count else { return false }
    let leaf = directory.leaves[nextLeaf]
    nextLeaf += 1
    firstPosition = leaf.first
    do throws(Fault) {
      block = .cluster(try reader.array(at: leaf.ref), try ClusterKeys(leaf, &reader))
      count = leaf.count
      return true
    } catch {
      throw RealmFileError(error, className: table.name)
    }
  }

  /// Moves to the block that has the object at `position` among those of the class that can be read;
  /// returns its index in the block, or nil if there is none.
  ///
  /// `nextBlock` moves to the block after it. Throws if the block cannot be read. Cost: nothing within
  /// the block, else logarithmic in the number of blocks.
  public mutating func move(toPosition position: Int) throws -> Int? {
    reader.renewBudget()
    if position >= firstPosition, position - firstPosition < count {
      return position - firstPosition
    }
    switch source {
    case .clusters(let directory):
      guard let leaf = directory.leafIndex(ofPosition: position) else { return nil }
      nextLeaf = leaf
      nextGap = directory.gaps.firstIndex { $0.leafIndex > leaf } ?? directory.gaps.count
    case .rows(let rowCount):
      guard position >= 0, position < rowCount else { return nil }
      firstPosition = position - position % RowTree.blockLength
      count = 0
    }
    return try nextBlock() ? position - firstPosition : nil
  }

  /// Returns the key of the object at `index` in the block, which is below `count`; its number in
  /// formats up to 9; -1 if there is none.
  public func key(at index: Int) -> Int64 {
    switch block {
    case .none: -1
    case .cluster(_, let keys): (try? keys.key(at: index)) ?? -1
    case .rows(let rows): index >= 0 && index < rows.count ? Int64(rows.lowerBound + index) : -1
    }
  }

  /// Returns the value of a property of the object at `index` in the block.
  ///
  /// Throws if the value is damaged, or there is no such object or property. Cost: some nanoseconds,
  /// and a copy of a text, of bytes or of a collection.
  public mutating func value(of property: Int, at index: Int) throws -> RealmValue {
    do throws(Fault) {
      return try column(property, at: index).value(at: index, &reader)
    } catch {
      throw self.error(error, property: property, index: index)
    }
  }

  /// Returns the bytes of a text of the object at `index` in the block, also if they are not UTF-8; nil
  /// for null, and for properties that are not texts.
  ///
  /// Throws and costs as `value(of:at:)`.
  public mutating func textBytes(of property: Int, at index: Int) throws -> [UInt8]? {
    do throws(Fault) {
      return try column(property, at: index).textBytes(at: index, &reader)
    } catch {
      throw self.error(error, property: property, index: index)
    }
  }

  /// Returns the values of a property of the objects of the block from `start` on, and what of them is
  /// damaged.
  ///
  /// There may be fewer values than objects, but at least one, if they take more memory than half the
  /// file: the next call begins where they end. Cost: some nanoseconds a value, as `value(of:at:)`.
  public mutating func column(of property: Int, from start: Int = 0) -> RealmColumn {
    let indices = min(max(start, 0), count)..<count
    var result = RealmColumn(indices)
    do throws(Fault) {
      let column = try column(property)
      if let fault = column.fault { throw fault }
      var faults: [(index: Int, fault: Fault)] = []
      column.append(indices, to: &result.values, &reader) { faults.append(($0, $1)) }
      result.damages = faults.map { index, fault in
        RealmDamage(
          indices: index..<index + 1, error: error(fault, property: property, index: index))
      }
    } catch {
      result.values = Array(repeating: .null, count: indices.count)
      result.damages = [
        RealmDamage(
          indices: indices,
          error: self.error(error, property: property, index: indices.lowerBound))
      ]
    }
    return result
  }

  /// Returns the integers of a property of all objects of the block without nulls and collections;
  /// nil if it is another property, or the block is not in one leaf.
  ///
  /// Throws if one is damaged. Cost: a nanosecond an object.
  public mutating func integers(of property: Int) throws -> [Int64]? {
    do throws(Fault) {
      guard case .integers(let node) = try column(property).onlyLeaf else { return nil }
      return try node.integers(count)
    } catch {
      throw self.error(error, property: property, index: 0)
    }
  }

  /// Returns the numbers of 64 bits of a property of all objects of the block without nulls and
  /// collections; nil if it is another property, or the block is not in one leaf.
  ///
  /// Throws if one is damaged. Cost: a nanosecond an object.
  public mutating func doubles(of property: Int) throws -> [Double]? {
    do throws(Fault) {
      guard case .doubles(let node, isNullable: false) = try column(property).onlyLeaf else {
        return nil
      }
      return try node.fixed(count, as: UInt64.self, Double.init(bitPattern:))
    } catch {
      throw self.error(error, property: property, index: 0)
    }
  }

  private mutating func column(_ property: Int, at index: Int) throws(Fault) -> BlockValues {
    guard index >= 0, index < count else { throw Fault(.missing(element: index)) }
    return try column(property)
  }

  private mutating func column(_ property: Int) throws(Fault) -> BlockValues {
    guard columns.indices.contains(property) else { throw Fault(.missing(element: property)) }
    if let column = columns[property] { return column }
    let column: BlockValues
    switch block {
    case .none: throw Fault(.missing(element: 0))
    case .cluster(let node, _):
      column = BlockValues(layout.columns[property], cluster: node, count: count, &reader)
    case .rows(let rows): column = BlockValues(try treeColumn(property), rows: rows, &reader)
    }
    columns[property] = column
    return column
  }

  private mutating func treeColumn(_ property: Int) throws(Fault) -> TreeColumn {
    if let column = rowColumns[property] { return try column.get() }
    let layout = layout.columns[property]
    do throws(Fault) {
      let column = try TreeColumn(layout, &reader)
      // The columns of a damaged file may share what is below their roots; a leaf has 8 bytes at least.
      rowLeafCount += column.tree.leaves.count
      guard rowLeafCount <= 1 << 10 + reader.bytes.count / 8 else {
        throw Fault(.tooMuch, at: layout.address)
      }
      rowColumns[property] = .success(column)
      return column
    } catch {
      rowColumns[property] = .failure(error)
      throw error
    }
  }

  private func error(_ fault: Fault, property: Int, index: Int) -> RealmFileError {
    let isKnown = table.properties.indices.contains(property)
    return RealmFileError(
      fault, className: table.name, property: isKnown ? table.properties[property].name : nil,
      objectKey: key(at: index))
  }
}
