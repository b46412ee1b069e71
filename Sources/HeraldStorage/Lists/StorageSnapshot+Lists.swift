internal import CLMDB
import HeraldModel

extension StorageSnapshot {
  fileprivate func root(_ list: ListID) -> ListRoot? {
    guard list.owner > 0, let bytes = get(.lists, .listRoot(list)) else { return nil }
    let root = ListRoot(bytes)
    if root == nil { note(damaged("the list \(list)")) }
    return root
  }

  fileprivate func run(_ list: ListID, _ id: UInt32) throws(StorageError) -> FlatBlock {
    guard let bytes = get(.lists, .listRun(list, id)), FlatBlock(bytes).isReadable else {
      throw failure ?? damaged("run \(id) of the list \(list)")
    }
    return FlatBlock(bytes)
  }

  package func listCount(_ list: ListID) -> Int {
    pending?.lists[list]?.count ?? root(list)?.count ?? 0
  }

  /// Returns one element; a search in the directory, linear in length / 512.
  package func listElement(_ list: ListID, _ kind: ColumnKind, at position: Int) -> StoredValue {
    do throws(StorageError) {
      if let pending = pending?.lists[list] { return try pending.element(at: position) }
      guard let root = root(list) else { return .null }
      precondition(position >= 0 && position < root.count, "a position outside the list")
      if root.isInline { return root.inlineBlock.value(kind, position) }
      guard let (run, offset) = root.locate(position) else {
        throw damaged("the directory of the list \(list)")
      }
      let block = try self.run(list, root.runID(run))
      guard offset < block.count else { throw damaged("a run of the list \(list)") }
      return block.value(kind, offset)
    } catch {
      note(error)
      return .null
    }
  }

  /// Returns the first position whose element does not satisfy `isBefore`, in a list that it
  /// partitions; the last element that it rejected is the one there. O(log n), plus a sum over the directory.
  package func listPartition(
    _ list: ListID, _ kind: ColumnKind, _ isBefore: (StoredValue) -> Bool
  ) -> Int {
    do throws(StorageError) {
      if let pending = pending?.lists[list] { return try pending.partition(isBefore) }
      guard let root = root(list) else { return 0 }
      func position(in block: FlatBlock, below count: Int) throws(StorageError) -> Int {
        try (0..<count).partitionPoint { row throws(StorageError) in
          isBefore(block.value(kind, row))
        }
      }
      if root.isInline { return try position(in: root.inlineBlock, below: root.count) }
      // Finds the run of the position by comparing last elements.
      let index = try (0..<root.runCount).partitionPoint { index throws(StorageError) in
        let block = try run(list, root.runID(index))
        return block.count == 0 || isBefore(block.value(kind, block.count - 1))
      }
      let start = root.start(of: index)
      guard index < root.runCount else { return start }
      let block = try run(list, root.runID(index))
      return start + (try position(in: block, below: block.count - 1))
    } catch {
      note(error)
      return 0
    }
  }

  /// Calls `body` with every element in order until it returns false.
  package func forEachListElement(
    _ list: ListID, _ kind: ColumnKind, _ body: (StoredValue) throws -> Bool
  ) rethrows {
    if let pending = pending?.lists[list] {
      return try pending.forEach(body, failed: note)
    }
    try forEachRun(list) { block in
      for row in 0..<block.count {
        guard try body(block.value(kind, row)) else { return false }
      }
      return true
    }
  }

  /// Calls `body` with the stored runs of a list in order until it returns false.
  private func forEachRun(_ list: ListID, _ body: (FlatBlock) throws -> Bool) rethrows {
    guard let root = root(list) else { return }
    if root.isInline {
      _ = try body(root.inlineBlock)
      return
    }
    for index in 0..<root.runCount {
      guard let bytes = get(.lists, .listRun(list, root.runID(index))),
        FlatBlock(bytes).isReadable
      else { return note(damaged("run \(root.runID(index)) of the list \(list)")) }
      guard try body(FlatBlock(bytes)) else { return }
    }
  }
}

extension WriteTransaction {
  /// The numbers of lists and elements above which they are written early, to limit a transaction's memory.
  private static let listLimit = 1 << 14
  private static let elementLimit = 1 << 21

  /// Inserts an element before the one at `position`, or at the end.
  package func insert(
    _ value: StoredValue, into list: ListID, _ kind: ColumnKind, at position: Int
  ) throws(StorageError) {
    let pending = try pendingList(list)
    pending.take(kind)
    try pending.insert(value, at: position)
  }

  /// Removes and returns an element.
  @discardableResult
  package func remove(
    from list: ListID, at position: Int
  ) throws(StorageError) -> StoredValue {
    try pendingList(list).remove(at: position)
  }

  package func replace(
    in list: ListID, at position: Int, with value: StoredValue
  ) throws(StorageError) {
    try pendingList(list).replace(at: position, with: value)
  }

  /// Removes the element at `origin` and inserts it so that it ends up at `target`.
  package func move(
    in list: ListID, from origin: Int, to target: Int
  ) throws(StorageError) {
    let pending = try pendingList(list)
    precondition(target >= 0 && target < pending.count, "a position outside the list")
    let value = try pending.remove(at: origin)
    try pending.insert(value, at: target)
  }

  package func clear(_ list: ListID) throws(StorageError) {
    try pendingList(list).removeAll()
  }

  /// Replaces all elements with `values`.
  package func assign(
    _ list: ListID, _ kind: ColumnKind, _ values: [StoredValue]
  ) throws(StorageError) {
    let pending = try pendingList(list)
    pending.removeAll()
    pending.take(kind)
    for value in values { try pending.insert(value, at: pending.count) }
  }

  /// Returns the pending changes of a list.
  private func pendingList(_ list: ListID) throws(StorageError) -> PendingList {
    try snapshot.checkFailure()
    if let pending = changes.lists[list] { return pending }
    precondition(list.owner > 0)
    if changes.lists.count >= Self.listLimit || changes.listElementCount >= Self.elementLimit {
      try flushLists()
    }
    let pending = PendingList(snapshot.root(list)) {
      [unowned snapshot = snapshot, unowned changes = changes] id throws(StorageError) in
      let block = try snapshot.run(list, id)
      changes.listElementCount += block.count
      return block.elements
    }
    try snapshot.checkFailure()
    changes.lists[list] = pending
    return pending
  }

  /// Writes every changed list to its records.
  func flushLists() throws(StorageError) {
    if changes.lists.isEmpty { return }
    let ordered = changes.lists.sorted {
      ($0.key.column.packed, $0.key.owner) < ($1.key.column.packed, $1.key.owner)
    }
    for (list, pending) in ordered where pending.isChanged {
      let record = try pending.record()
      for id in record.freed { try snapshot.delete(.lists, .listRun(list, id)) }
      for (id, elements) in record.changed {
        try snapshot.put(
          .lists, .listRun(list, id), BlockDraft(pending.kind ?? .integers, elements))
      }
      switch record.root {
      case .none: try snapshot.delete(.lists, .listRoot(list))
      case .inline(let elements):
        let root = ListRoot.inline(BlockDraft(pending.kind ?? .integers, elements))
        try snapshot.put(.lists, .listRoot(list), root)
      case .directory(let root): try snapshot.put(.lists, .listRoot(list), root)
      }
    }
    changes.lists.removeAll()
    changes.listElementCount = 0
  }
}

extension FlatBlock {
  /// The values of a list's run.
  var elements: [StoredValue] {
    guard let kind else { return [] }
    return (0..<count).map { value(kind, $0) }
  }
}

extension BlockDraft {
  /// Creates a draft of a list's run.
  convenience init(_ kind: ColumnKind, _ elements: [StoredValue]) {
    self.init(kind, count: elements.count)
    for (row, element) in elements.enumerated() { set(row, element) }
  }
}
