/// Finds single records of one version of a file without LMDB, for meta pages that are not in use.
package struct PageSearch {
  private let file: PageFile
  package let meta: PageFile.Meta

  package init(_ file: PageFile, _ meta: PageFile.Meta) {
    self.file = file
    self.meta = meta
  }

  /// The state of the version; nil if it cannot be found, or is damaged.
  package var state: StoreState? {
    guard let entry = value(of: [UInt8](RecordSpace.meta.name.utf8), in: meta.main),
      entry.count == PageFile.Tree.size,
      let record = value(of: [UInt8](StoreState.key.utf8), in: PageFile.Tree(entry))
    else { return nil }
    return StoreState(record: record)
  }

  /// Returns the value of a key, if it is stored on the key's own page.
  package func value(of key: [UInt8], in tree: PageFile.Tree) -> UnsafeRawBufferPointer? {
    var number = tree.root
    for _ in 0..<min(tree.depth, 32) {
      guard number >= 2, number <= meta.lastPage,
        number < UInt64(file.size / meta.pageSize),
        let page = TreePage(file, pageSize: meta.pageSize, number), !page.isFixed
      else { return nil }
      guard page.isBranch else {
        for index in 0..<page.count {
          guard let node = page.node(index) else { return nil }
          if node.key.elementsEqual(key) {
            return node.flags & TreePage.overflow == 0 ? node.inline : nil
          }
        }
        return nil
      }
      var next: UInt64?
      for index in 0..<page.count {
        guard let node = page.node(index) else { return nil }
        if index == 0 || node.key.order(to: key) <= 0 { next = node.child }
      }
      guard let next else { return nil }
      number = next
    }
    return nil
  }
}
