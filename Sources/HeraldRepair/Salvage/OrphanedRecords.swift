import HeraldStorage

/// The intact records on leaves of a file that no tree leads to.
struct OrphanedRecords {
  /// On pages that belong to the version.
  private(set) var live: [RecordSpace: [Int]] = [:]
  /// On pages that were freed, or that may have been.
  private(set) var stale: [RecordSpace: [Int]] = [:]

  /// Reads every page of the file except the leaves of `except`.
  init(_ file: SalvageFile, free: PageSet?, except spaces: [SalvagedSpace], newest: Int?) {
    var known = PageSet(below: file.pageCount)
    for leaf in spaces.flatMap(\.leaves) { known.insert(leaf) }
    let wanted = Set(spaces.filter { !$0.isExact }.map(\.space))
    for number in 0..<file.pageCount where !known.contains(number) {
      guard let page = file.page(number), page.isLeaf, !page.isFixed else { continue }
      let isLive = free.map { !$0.contains(number) } ?? false
      for index in 0..<page.count {
        guard let node = page.node(index), node.flags & ~TreePage.overflow == 0 else { continue }
        let offset = file.offset(of: node)
        guard
          let space = Self.spaces(node.key.count).first(where: { space in
            wanted.contains(space) && file.version(of: offset, space, upTo: newest) != nil
          })
        else { continue }
        if isLive { live[space, default: []].append(offset) }
        stale[space, default: []].append(offset)
      }
    }
  }

  /// Returns whether any record of a file has a later version; false if `version` is nil.
  static func hasLater(than version: Int?, in file: SalvageFile) -> Bool {
    guard let version else { return false }
    let newest = UInt32(truncatingIfNeeded: version)
    for number in 0..<file.pageCount {
      guard let page = file.page(number), page.isLeaf, !page.isFixed else { continue }
      for index in 0..<page.count {
        guard let node = page.node(index), node.flags & ~TreePage.overflow == 0 else { continue }
        let offset = file.offset(of: node)
        for space in spaces(node.key.count) + (node.key.count == 8 ? [.log] : []) {
          guard let found = file.version(of: offset, space, upTo: nil) else { continue }
          if Int32(bitPattern: found &- newest) > 0 { return true }
          break
        }
      }
    }
    return false
  }

  /// Removes the lists without an owner; `isOwned` receives the key of a record.
  mutating func dropLists(in file: SalvageFile, unless isOwned: (UnsafeRawBufferPointer) -> Bool) {
    stale[.lists]?.removeAll { !isOwned(file.key(at: $0)) }
  }

  /// Returns the databases that may have keys of a given size.
  private static func spaces(_ keySize: Int) -> [RecordSpace] {
    switch keySize {
    case 12, 13: [.columns, .meta]
    case 16, 20: [.lists, .meta]
    case _: [.meta]
    }
  }
}
