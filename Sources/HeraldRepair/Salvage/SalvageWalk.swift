import HeraldStorage

/// A walk over a tree whose pages may be damaged: its leaves in order, and the gaps between them.
struct SalvageWalk {
  enum Step {
    case leaf(TreePage, UInt64)
    /// Records may be missing between the leaf before and the next one.
    case gap
  }

  private let file: SalvageFile
  /// The pages that belong to no tree of the version.
  private let free: PageSet?
  private var visited: PageSet

  init(_ file: SalvageFile, free: PageSet?) {
    self.file = file
    self.free = free
    visited = PageSet(below: file.pageCount)
  }

  /// The largest depth of an LMDB tree, in pages.
  private static let depthLimit = 32

  mutating func walk(_ root: UInt64, _ body: (Step) -> Void) {
    if root != PageFile.Tree.none { walk(root, depth: 0, body) }
  }

  private mutating func walk(_ number: UInt64, depth: Int, _ body: (Step) -> Void) {
    guard depth < Self.depthLimit, free?.contains(number) != true, visited.insert(number),
      let page = file.page(number), !page.isFixed
    else { return body(.gap) }
    guard page.isBranch else { return body(.leaf(page, number)) }
    let isWhole = page.isWhole
    if !isWhole { body(.gap) }
    for index in 0..<page.count {
      if let node = page.node(index) {
        walk(node.child, depth: depth + 1, body)
      }
      if !isWhole { body(.gap) }
    }
  }
}

extension SalvageFile {
  /// Returns the roots of the databases in a main tree.
  func trees(of main: UInt64) -> [RecordSpace: UInt64] {
    var roots: [RecordSpace: UInt64] = [:]
    var walk = SalvageWalk(self, free: nil)
    walk.walk(main) { step in
      if case .leaf(let page, _) = step { roots.merge(self.trees(on: page)) { one, _ in one } }
    }
    return roots
  }

  /// Returns the roots of the databases that a page names.
  func trees(on page: TreePage) -> [RecordSpace: UInt64] {
    var roots: [RecordSpace: UInt64] = [:]
    guard page.isLeaf, !page.isFixed else { return roots }
    for index in 0..<page.count {
      guard let node = page.node(index), node.flags == TreePage.subtree,
        node.inline.count == PageFile.Tree.size, node.key.count <= 8,
        let space = RecordSpace(name: String(decoding: node.key, as: UTF8.self))
      else { continue }
      roots[space] = PageFile.Tree(node.inline).root
    }
    return roots
  }

  /// Returns the pages that are free in the version of a meta page; nil if that is uncertain.
  func freePages(of meta: PageFile.Meta) -> PageSet? {
    var free = PageSet(below: pageCount)
    var isSure = true
    var entries: UInt64 = 0
    var newest: UInt64 = 0
    var walk = SalvageWalk(self, free: nil)
    walk.walk(meta.free.root) { step in
      guard case .leaf(let page, _) = step, page.isWhole else {
        isSure = false
        return
      }
      for index in 0..<page.count {
        guard let node = page.node(index), node.key.count == 8,
          let value = record(at: offset(of: node)), value.count >= 8, value.count % 8 == 0
        else {
          isSure = false
          continue
        }
        entries += 1
        newest = max(newest, node.key.littleEndian(at: 0, as: UInt64.self))
        let count = value.littleEndian(at: 0, as: UInt64.self)
        guard count <= UInt64(value.count / 8 - 1) else {
          isSure = false
          continue
        }
        for position in 0..<Int(count) {
          let number = value.littleEndian(at: 8 + position * 8, as: UInt64.self)
          if number < 2 || number <= meta.lastPage && number < pageCount && !free.insert(number) {
            isSure = false
          }
        }
      }
    }
    // Each commit frees pages, and lists them under its own number: an older list belongs to another one.
    return isSure && entries == meta.free.entries && newest == meta.transaction ? free : nil
  }
}
