/// A walk over the pages of a version of a store, which checks each page before using it.
///
///     var walk = PageWalk(file, meta)
///     walk.walk { space, key, record in … }
///     walk.problems
///
/// After a walk without problems LMDB can follow every pointer: each leads to a page of the file of
/// the expected kind, and none to a page that is used twice or free. Reads every branch and leaf
/// page, and the first page of each large value. A page takes some hundred nanoseconds.
struct PageWalk {
  let file: PageFile
  let meta: PageFile.Meta
  /// The problems found, as messages; the walk continues after each, and stops at `limit`.
  private(set) var problems: [String] = []
  /// The number of unreadable pages, whose records are lost to a reader of this version.
  private(set) var lostPages = 0
  static let limit = 1000

  /// A bitset of the visited pages.
  private var used: [UInt64]
  /// The pages visited since their memory was released, and how many there may be.
  private var usedSinceRelease = 0
  private static let releaseInterval = 4096
  /// The counts found in a tree, to compare with its recorded ones.
  private var branchPages: UInt64 = 0
  private var leafPages: UInt64 = 0
  private var overflowPages: UInt64 = 0
  private var entries: UInt64 = 0

  /// Receives each record: the database, the key and the record or entry.
  typealias Visit = (RecordSpace, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void

  /// The pages that a walk reads.
  enum Scope {
    /// Every branch page, a hundredth of the file: all their pointers are valid.
    case branches
    /// Every branch and leaf page.
    case pages
  }

  private let scope: Scope

  init(_ file: PageFile, _ meta: PageFile.Meta, _ scope: Scope = .pages) {
    self.file = file
    self.meta = meta
    self.scope = scope
    let pages = min(meta.lastPage &+ 1, UInt64(file.size / max(meta.pageSize, 1)))
    used = [UInt64](repeating: 0, count: Int(pages / 64 + 1))
  }

  /// The kinds of trees, which differ in their keys and values.
  enum Kind {
    case free, main
    case records(RecordSpace)
    /// The values of one key of a database with many per key.
    case entries(RecordSpace, size: Int)
  }

  /// Walks both trees of the version and all databases in the main one.
  mutating func walk(_ visit: @escaping Visit) {
    guard meta.lastPage >= 1, meta.lastPage < UInt64(file.size / meta.pageSize) else {
      return note(
        "it is cut short: \(file.size) bytes of \(meta.lastPage &+ 1) pages of \(meta.pageSize)")
    }
    guard meta.main.flags == 0, meta.free.flags & 0x7F == 0x08 else {
      return note("its meta pages describe trees of the wrong kind")
    }
    use(0, 2)
    walk(meta.main, .main, "the main tree", visit)
    walk(meta.free, .free, "the list of free pages", visit)
  }

  mutating func note(_ problem: String) {
    if problems.count < Self.limit { problems.append(problem) }
  }

  /// Counts a page that cannot be followed, and notes why.
  private mutating func reject(_ number: UInt64, _ why: String) {
    lostPages += 1
    note("page \(number) \(why)")
  }

  /// Marks pages as used; returns false, and notes it, if one is outside the file or already used.
  @discardableResult
  mutating func use(_ first: UInt64, _ count: UInt64 = 1) -> Bool {
    guard first <= meta.lastPage, count <= meta.lastPage + 1 - first else {
      note("a pointer leads outside the file, to page \(first)")
      return false
    }
    for number in first..<first + count {
      let bit: UInt64 = 1 << (number & 63)
      guard used[Int(number >> 6)] & bit == 0 else {
        note("page \(number) is used twice")
        return false
      }
      used[Int(number >> 6)] |= bit
    }
    usedSinceRelease += Int(count)
    if usedSinceRelease >= Self.releaseInterval {
      usedSinceRelease = 0
      file.releaseMemory()
    }
    return true
  }

  // MARK: Trees

  mutating func walk(
    _ tree: PageFile.Tree, _ kind: Kind, _ name: String, _ visit: @escaping Visit
  ) {
    if tree.root == PageFile.Tree.none {
      if tree.entries != 0 || tree.depth != 0 {
        note("\(name) has \(tree.entries) entries and no page")
      }
      return
    }
    guard tree.depth >= 1, tree.depth <= 32 else {
      return note("\(name) is \(tree.depth) pages deep")
    }
    let before = (branchPages, leafPages, overflowPages, entries)
    (branchPages, leafPages, overflowPages, entries) = (0, 0, 0, 0)
    let lost = lostPages
    walk(page: tree.root, depth: tree.depth, from: nil, to: nil, kind, visit)
    if lost == lostPages, !isSkippingLeaves(kind),
      (branchPages, leafPages, overflowPages, entries)
        != (tree.branchPages, tree.leafPages, tree.overflowPages, tree.entries)
    {
      note(
        "\(name) has \(entries) entries on \(branchPages + leafPages + overflowPages) pages, not "
          + "\(tree.entries) on \(tree.branchPages &+ tree.leafPages &+ tree.overflowPages)")
    }
    (branchPages, leafPages, overflowPages, entries) = before
  }

  private mutating func walk(
    page number: UInt64, depth: Int, from first: UnsafeRawBufferPointer?,
    to last: UnsafeRawBufferPointer?, _ kind: Kind, _ visit: @escaping Visit
  ) {
    guard problems.count < Self.limit else { return }
    guard number >= 2, use(number) else {
      lostPages += 1
      return
    }
    if depth == 1 && isSkippingLeaves(kind) { return }
    guard let page = TreePage(file, pageSize: meta.pageSize, number) else {
      return reject(number, "has an invalid header")
    }
    var lower = first
    func isInOrder(_ key: UnsafeRawBufferPointer, _ isFirst: Bool) -> Bool {
      if let lower {
        let order = Self.order(key, lower, kind)
        if isFirst ? order < 0 : order <= 0 { return false }
      }
      if let last, Self.order(key, last, kind) >= 0 { return false }
      lower = key
      return true
    }
    if depth > 1 {
      guard page.isBranch, page.count >= 2 else {
        return reject(number, "is not a branch of its tree")
      }
      branchPages += 1
      var bounds: [(child: UInt64, key: UnsafeRawBufferPointer?)] = []
      for index in 0..<page.count {
        guard let node = page.node(index), index == 0 || isInOrder(node.key, false) else {
          return reject(number, "has a key out of order")
        }
        bounds.append((node.child, index == 0 ? first : node.key))
      }
      for (index, bound) in bounds.enumerated() {
        let end = index + 1 < bounds.count ? bounds[index + 1].key : last
        walk(page: bound.child, depth: depth - 1, from: bound.key, to: end, kind, visit)
      }
      return
    }
    leafPages += 1
    if case .entries(let space, let size) = kind {
      guard page.isLeaf, page.isFixed, page.fixedSize == size, page.count > 0 else {
        return reject(number, "is not a leaf of its tree")
      }
      for index in 0..<page.count {
        guard let entry = page.fixedEntry(index), isInOrder(entry, index == 0) else {
          return reject(number, "has an entry out of order")
        }
        entries += 1
        visit(space, UnsafeRawBufferPointer(start: nil, count: 0), entry)
      }
      return
    }
    guard page.isLeaf, !page.isFixed, page.count > 0 else {
      return reject(number, "is not a leaf of its tree")
    }
    for index in 0..<page.count {
      guard let node = page.node(index), isInOrder(node.key, index == 0) else {
        return reject(number, "has a key out of order")
      }
      take(node, number, kind, visit)
    }
  }

  /// The leaves of the main tree and of the list of free pages, which are small, are always read.
  private func isSkippingLeaves(_ kind: Kind) -> Bool {
    switch (scope, kind) {
    case (.pages, _), (_, .main), (_, .free): false
    case (.branches, .records), (.branches, .entries): true
    }
  }

  /// Compares two keys, or two entries.
  private static func order(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, _ kind: Kind
  ) -> Int {
    guard case .free = kind, one.count == 8, other.count == 8 else { return one.order(to: other) }
    let (a, b) = (
      one.littleEndian(at: 0, as: UInt64.self), other.littleEndian(at: 0, as: UInt64.self)
    )
    return a < b ? -1 : a > b ? 1 : 0
  }

  // MARK: Leaf nodes

  private mutating func take(
    _ node: TreePage.Node, _ number: UInt64, _ kind: Kind, _ visit: @escaping Visit
  ) {
    switch kind {
    case .main: takeDatabase(node, number, visit)
    case .free:
      entries += 1
      guard let value = value(of: node, number) else { return }
      takeFree(node.key, value, number)
    case .records(let space):
      if let size = space.entrySize { return takeEntries(node, number, space, size, visit) }
      entries += 1
      guard let value = value(of: node, number) else { return }
      visit(space, node.key, value)
    case .entries: break
    }
  }

  private mutating func takeDatabase(
    _ node: TreePage.Node, _ number: UInt64, _ visit: @escaping Visit
  ) {
    entries += 1
    let name = String(decoding: node.key, as: UTF8.self)
    guard let space = RecordSpace(name: name), node.flags == TreePage.subtree,
      node.inline.count == PageFile.Tree.size
    else { return reject(number, "names an unknown database '\(name)'") }
    let tree = PageFile.Tree(node.inline)
    let flags: UInt16 = space.entrySize == nil ? 0 : 0x14
    guard tree.flags == flags else {
      return reject(number, "names a database '\(name)' of the wrong kind")
    }
    walk(tree, .records(space), "the database '\(name)'", visit)
  }

  /// Returns the value of a node of a database of records, or of the free pages; returns nil, and
  /// notes it, if its pointer is invalid.
  private mutating func value(
    of node: TreePage.Node, _ number: UInt64
  ) -> UnsafeRawBufferPointer? {
    if node.flags == 0 { return node.inline }
    guard node.flags == TreePage.overflow, node.inline.count == 8 else {
      reject(number, "has a value of the wrong kind")
      return nil
    }
    let first = node.inline.littleEndian(at: 0, as: UInt64.self)
    guard first >= 2, first <= meta.lastPage else {
      note("a pointer leads outside the file, to page \(first)")
      lostPages += 1
      return nil
    }
    let header = UnsafeRawBufferPointer(
      start: file.base + Int(first) * meta.pageSize, count: 16)
    // A value that its transaction has replaced by a shorter one keeps its pages.
    let pages = UInt64(header.littleEndian(at: 12, as: UInt32.self))
    guard header.littleEndian(at: 0, as: UInt64.self) == first,
      header.littleEndian(at: 10, as: UInt16.self) == 0x04,
      pages >= UInt64((15 + node.size) / meta.pageSize + 1)
    else {
      reject(first, "is not the first page of a large value")
      return nil
    }
    guard use(first, pages) else {
      lostPages += 1
      return nil
    }
    overflowPages += pages
    return UnsafeRawBufferPointer(start: header.baseAddress.map { $0 + 16 }, count: node.size)
  }

  /// Visits the entries of one key: one in the node, a few on a nested page, or many in a tree.
  private mutating func takeEntries(
    _ node: TreePage.Node, _ number: UInt64, _ space: RecordSpace, _ size: Int,
    _ visit: @escaping Visit
  ) {
    let key = node.key
    switch node.flags {
    case 0:
      guard node.inline.count == size else {
        return reject(number, "has an entry of the wrong size")
      }
      entries += 1
      visit(space, key, node.inline)
    case TreePage.duplicates:
      guard let page = TreePage(within: node.inline), page.isFixed, page.fixedSize == size,
        page.count > 0
      else { return reject(number, "has an invalid nested page") }
      var last: UnsafeRawBufferPointer?
      for index in 0..<page.count {
        guard let entry = page.fixedEntry(index), last.map({ entry.order(to: $0) > 0 }) ?? true
        else { return reject(number, "has an entry out of order") }
        entries += 1
        visit(space, key, entry)
        last = entry
      }
    case TreePage.duplicates | TreePage.subtree:
      guard node.inline.count == PageFile.Tree.size else {
        return reject(number, "has an invalid nested tree")
      }
      let tree = PageFile.Tree(node.inline)
      guard tree.pad == UInt32(size) else { return reject(number, "has entries of the wrong size") }
      // The database counts the tree's entries, but not its pages.
      let before = entries
      walk(tree, .entries(space, size: size), "a tree of entries") { space, _, entry in
        visit(space, key, entry)
      }
      entries = before + tree.entries
    default: reject(number, "has a value of the wrong kind")
    }
  }

  /// Visits the pages that a transaction has freed: their count, then their numbers, descending.
  private mutating func takeFree(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ number: UInt64
  ) {
    guard key.count == 8, value.count >= 8, value.count % 8 == 0 else {
      return reject(number, "has an invalid list of free pages")
    }
    let count = value.littleEndian(at: 0, as: UInt64.self)
    guard count <= UInt64(value.count / 8 - 1),
      key.littleEndian(at: 0, as: UInt64.self) <= meta.transaction
    else { return reject(number, "has an invalid list of free pages") }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let free = value.littleEndian(at: 8 + index * 8, as: UInt64.self)
      guard free >= 2, free < last else {
        return reject(number, "has a list of free pages out of order")
      }
      guard use(free) else { return note("the list of free pages names page \(free)") }
      last = free
    }
  }
}
