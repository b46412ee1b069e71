/// The name of a record, derived from its key: for errors about damage.
package struct RecordName: Hashable, CustomStringConvertible {
  let space: RecordSpace
  let key: [UInt8]

  package init(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) {
    self.space = space
    self.key = [UInt8](key)
  }

  /// The class of a record of columns, lists or an index.
  var classID: UInt32? { number(at: 0, in: [.columns, .lists, .index]) }
  /// Its property; 0 for the presence of a class's objects.
  var propertyID: UInt32? { number(at: 4, in: [.columns, .lists, .index]) }

  private func number(at offset: Int, in spaces: [RecordSpace]) -> UInt32? {
    guard spaces.contains(space), key.count >= offset + 4 else { return nil }
    return key.withUnsafeBytes { $0.bigEndian(at: offset, as: UInt32.self) }
  }

  /// The numbers of the objects whose values or list the record holds.
  var objects: ClosedRange<Int>? {
    key.withUnsafeBytes { bytes in
      switch (space, bytes.count) {
      case (.columns, 12):
        let block = bytes.bigEndian(at: 8, as: UInt32.self)
        return block == .max ? nil : Int(block) * 256...Int(block) * 256 + 255
      case (.columns, 13):
        let number = Int(bytes.bigEndian(at: 8, as: UInt32.self)) * 256 + Int(bytes[12])
        return number...number
      case (.lists, 16), (.lists, 20):
        let owner = Int(truncatingIfNeeded: bytes.bigEndian(at: 8, as: UInt64.self))
        return owner...owner
      default: return nil
      }
    }
  }

  package var description: String {
    switch space {
    case .meta: "the record '\(String(decoding: key, as: UTF8.self))' of the store"
    case .log:
      key.count == 8
        ? "the log's entry \(key.withUnsafeBytes { $0.bigEndian(at: 0, as: UInt64.self) })"
        : "an entry of the log"
    case .links: "the reverse links of an object"
    case .columns, .lists, .index: described
    }
  }

  private var described: String {
    guard let classID, let propertyID else { return "a record of the \(space.name)" }
    let subject: String =
      switch space {
      case .index: "the index of property \(propertyID) of class \(classID)"
      case .lists: "property \(propertyID) of class \(classID)"
      case .columns, .meta, .links, .log:
        propertyID == 0
          ? "the objects of class \(classID)" : "property \(propertyID) of class \(classID)"
      }
    guard let objects else { return subject }
    return objects.count == 1
      ? "\(subject), object \(objects.lowerBound)"
      : "\(subject), objects \(objects.lowerBound) to \(objects.upperBound)"
  }
}
