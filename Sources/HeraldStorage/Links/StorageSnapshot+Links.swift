internal import CLMDB

/// A reverse link: an object that links to the key's object, and the number of its links.
///
///     reverse link := origin:u64be links:u32be
private struct ReverseLink {
  static let size = 12

  let origin: Int
  let links: Int

  init(origin: Int, links: Int) {
    self.origin = origin
    self.links = links
  }

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    origin = Int(truncatingIfNeeded: bytes.bigEndian(at: offset, as: UInt64.self))
    links = Int(bytes.bigEndian(at: offset + 8, as: UInt32.self))
  }

  func withValue<Result>(_ body: (inout MDB_val) -> Result) -> Result {
    var words = (UInt64(origin).bigEndian, UInt32(links).bigEndian)
    return withUnsafeMutableBytes(of: &words) { bytes in
      var value = MDB_val(mv_size: Self.size, mv_data: bytes.baseAddress)
      return body(&value)
    }
  }
}

extension StorageSnapshot {
  /// Calls `body` with the objects that link to an object through a link or list property,
  /// ascending, and the number of their links, until it returns false.
  package func forEachOrigin(
    ofClass targetClass: UInt32, number: Int, through column: ColumnID,
    _ body: (_ origin: Int, _ links: Int) throws -> Bool
  ) rethrows {
    guard number > 0 else { return }
    let key = FixedKey.links(to: targetClass, number, through: column)
    try key.withBytes { key in
      try forEachPage(.links, key) { bytes in
        for offset in stride(from: 0, to: bytes.count, by: ReverseLink.size) {
          let link = ReverseLink(bytes, at: offset)
          guard objectNumber(bytes, at: offset) != nil, try body(link.origin, link.links) else {
            return false
          }
        }
        return true
      }
    }
  }

  /// The number of links from an object to another through one property.
  package func linkCount(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) -> Int {
    guard number > 0 else { return 0 }
    var count = 0
    withCursor(.links) { cursor in
      count = seek(cursor, origin, .links(to: targetClass, number, through: column))?.links ?? 0
    }
    return count
  }

  /// Returns an origin's entry, to which the cursor moves if that is in the tree; nil if there is none.
  fileprivate func seek(_ cursor: OpaquePointer, _ origin: Int, _ key: FixedKey) -> ReverseLink? {
    let changed = key.withBytes { overlaidEntries(.links, $0) }
    let ofOrigin = changed.filter { ReverseLink($0.value).origin == origin }
    if let added = ofOrigin.first(where: { $0.change == .added }) {
      return ReverseLink(added.value)
    }
    if !ofOrigin.isEmpty { return nil }
    let link = key.withValue { key in
      ReverseLink(origin: origin, links: 0).withValue { value -> ReverseLink? in
        let code = mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH_RANGE)
        if code == 0 { return ReverseLink(UnsafeRawBufferPointer(value)) }
        if code != MDB_NOTFOUND { note(explaining(code, "read")) }
        return nil
      }
    }
    return link?.origin == origin ? link : nil
  }
}

extension WriteTransaction {
  /// Counts one more link from an object to another through a link or list property.
  package func addLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try countLinks(origin, .links(to: targetClass, number, through: column), 1)
  }

  /// Counts one link fewer; throws `damaged` when none was counted.
  package func removeLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try countLinks(origin, .links(to: targetClass, number, through: column), -1)
  }

  private func forget(_ link: ReverseLink, _ key: FixedKey) {
    key.withValue { key in
      link.withValue { value in
        changes.digest[.links] &-= snapshot.share(.links, key, value)
        changes.noteEntry(.links, .init(key), .init(value), isAdded: false)
      }
    }
  }

  private func countLinks(
    _ origin: Int, _ key: FixedKey, _ change: Int
  ) throws(StorageError) {
    if let draft = try snapshot.draft(withRoomFor: 2) {
      return try countLinks(origin, key, change, in: draft)
    }
    try snapshot.makeRoom()
    var code: Int32 = 0
    var isMissing = false
    snapshot.withCursor(.links) { cursor in
      let old = snapshot.seek(cursor, origin, key)
      let links = (old?.links ?? 0) + change
      isMissing = links < 0
      if let old {
        forget(old, key)
        code = mdb_cursor_del(cursor, 0)
      }
      guard code == 0, links > 0 else { return }
      code = key.withValue { key in
        ReverseLink(origin: origin, links: links).withValue { value in
          changes.digest[.links] &+= snapshot.share(.links, key, value)
          changes.noteEntry(.links, .init(key), .init(value), isAdded: true)
          return mdb_cursor_put(cursor, &key, &value, 0)
        }
      }
    }
    try snapshot.written(code)
    if isMissing { throw neverCounted }
  }

  private func countLinks(
    _ origin: Int, _ key: FixedKey, _ change: Int, in draft: OverlayDraft
  ) throws(StorageError) {
    var old: ReverseLink?
    snapshot.withCursor(.links) { old = snapshot.seek($0, origin, key) }
    let links = (old?.links ?? 0) + change
    if links < 0 { throw neverCounted }
    func note(_ link: ReverseLink, isAdded: Bool) {
      key.withBytes { key in
        _ = link.withValue { snapshot.change(.links, key, .init($0), isAdded: isAdded, in: draft) }
      }
    }
    if let old { note(old, isAdded: false) }
    if links > 0 { note(ReverseLink(origin: origin, links: links), isAdded: true) }
  }

  private var neverCounted: StorageError {
    snapshot.damaged("a link to be removed was never counted")
  }
}
