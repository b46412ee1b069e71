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

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let words = (UInt64(origin).bigEndian, UInt32(links).bigEndian)
    return try withUnsafeBytes(of: words) { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[..<Self.size]))
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
    return link(origin, .links(to: targetClass, number, through: column))?.links ?? 0
  }

  /// Returns the entry of an origin under a key; nil if there is none.
  fileprivate func link(_ origin: Int, _ key: FixedKey) -> ReverseLink? {
    let changed = key.withBytes { overlaidEntries(.links, $0) }
    let ofOrigin = changed.filter { ReverseLink($0.value).origin == origin }
    if let added = ofOrigin.first(where: { $0.change == .added }) {
      return ReverseLink(added.value)
    }
    if !ofOrigin.isEmpty { return nil }
    var found: ReverseLink?
    withCursor(.links) { cursor in
      key.withValue { key in
        ReverseLink(origin: origin, links: 0).withBytes { smallest in
          var value = MDB_val(smallest)
          let code = mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH_RANGE)
          if code == 0 { found = ReverseLink(UnsafeRawBufferPointer(value)) }
          if code != 0, code != MDB_NOTFOUND { note(explaining(code, "read")) }
        }
      }
    }
    return found?.origin == origin ? found : nil
  }
}

extension WriteTransaction {
  /// Counts one more link from an object to another through a link or list property.
  package func addLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try countLinks(origin, .links(to: targetClass, number, through: column), 1)
  }

  /// Counts the only link from an object that was just created to another through a property of single links.
  package func beginLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try put(
      ReverseLink(origin: origin, links: 1), .links(to: targetClass, number, through: column),
      isAdded: true)
  }

  /// Counts one link fewer; throws `damaged` when none was counted.
  package func removeLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try countLinks(origin, .links(to: targetClass, number, through: column), -1)
  }

  private func countLinks(
    _ origin: Int, _ key: FixedKey, _ change: Int
  ) throws(StorageError) {
    let old = snapshot.link(origin, key)
    let links = (old?.links ?? 0) + change
    if links < 0 { throw snapshot.damaged("a link to be removed was never counted") }
    if let old { try put(old, key, isAdded: false) }
    if links > 0 { try put(ReverseLink(origin: origin, links: links), key, isAdded: true) }
  }

  private func put(
    _ link: ReverseLink, _ key: FixedKey, isAdded: Bool
  ) throws(StorageError) {
    _ = try key.withBytes { key throws(StorageError) in
      try link.withBytes { link throws(StorageError) in
        try snapshot.change(.links, key, link, isAdded: isAdded)
      }
    }
  }
}
