/// Finds single records of one version of a file without LMDB, for meta pages that are not in use.
struct PageSearch {
  private let file: PageFile
  private let meta: PageFile.Meta

  init(_ file: PageFile, _ meta: PageFile.Meta) {
    self.file = file
    self.meta = meta
  }

  /// The state of the version; nil if it cannot be found, or is damaged.
  var state: StoreState? {
    guard let entry = value(of: [UInt8](RecordSpace.meta.name.utf8), in: meta.main),
      entry.count == PageFile.Tree.size,
      let record = value(of: [UInt8](StoreState.key.utf8), in: PageFile.Tree(entry))
    else { return nil }
    return StoreState(record: record)
  }

  /// Returns the metadata under a name; nil if there is none, or it is damaged or long.
  func metadata(_ name: String) -> [UInt8]? {
    let key = StorageSnapshot.metadataKey(name)
    guard let entry = value(of: [UInt8](RecordSpace.meta.name.utf8), in: meta.main),
      entry.count == PageFile.Tree.size,
      let record = value(of: key, in: PageFile.Tree(entry)), record.count >= RecordTrailer.size
    else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: record.dropLast(RecordTrailer.size))
    let found = RecordTrailer(endOf: record)
    let expected = key.withUnsafeBytes {
      RecordTrailer(.meta, $0, content, version: found.version)
    }
    return found.checksum == expected.checksum ? [UInt8](content) : nil
  }

  /// Returns the value of a key, if it is stored on the key's own page.
  private func value(of key: [UInt8], in tree: PageFile.Tree) -> UnsafeRawBufferPointer? {
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
