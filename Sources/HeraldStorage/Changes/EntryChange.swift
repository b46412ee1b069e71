/// An index entry, or a reverse link, that a commit has added or removed.
///
///     change := flags key entry                1 added | 2 reverse link; the rest as in `ContentChange`
package struct EntryChange {
  package let space: RecordSpace
  package let key: [UInt8]
  package let entry: [UInt8]
  package let isAdded: Bool

  fileprivate static let addedFlag: UInt8 = 1
  fileprivate static let linkFlag: UInt8 = 2

  package init(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    let flags = try reader.byte()
    space = flags & Self.linkFlag != 0 ? .links : .index
    isAdded = flags & Self.addedFlag != 0
    key = try reader.key(space)
    entry = try reader.entry(space)
  }
}

extension PackedWriter {
  mutating func entryChange(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    byte((space == .links ? EntryChange.linkFlag : 0) | (isAdded ? EntryChange.addedFlag : 0))
    self.key(key, space)
    self.entry(entry, space)
  }
}
