package import HeraldModel
import HeraldStorage

/// The columns of a class's properties, found once for a session, so that a read looks nothing up by name.
///
/// A column is found again when the session's schema has changed. Used by the session's thread.
package final class ResolvedColumns {
  package let session: Session
  package let classID: ClassID
  private let properties: [(slot: Int, name: String, type: ElementType)]
  /// The column of each slot; nil for slots without one.
  private let columns: UnsafeMutableBufferPointer<Layout.Column?>
  @exclusivity(unchecked) private var layout: Layout?

  /// - Parameter properties: The properties to find, each with a slot from 0 to `slotCount - 1`. One that is
  ///   missing, or has values of another type, reads as nil.
  package init(
    _ session: Session, _ classID: ClassID, slotCount: Int,
    _ properties: [(slot: Int, name: String, type: ElementType)]
  ) {
    self.session = session
    self.classID = classID
    self.properties = properties
    columns = .allocate(capacity: slotCount)
    columns.initialize(repeating: nil)
  }

  deinit { columns.deallocate() }

  /// The reader of the session's version, with the changes of its open write.
  @inline(__always) private var reader: TransactionReader {
    if case .open(let write) = session.writing { return write.reader }
    return session.snapshot
  }

  @inline(__always)
  private func column(_ slot: Int, in reader: TransactionReader) -> Layout.Column? {
    if reader.layout !== layout { resolve(reader.layout) }
    return columns[slot]
  }

  @inline(never)
  private func resolve(_ layout: Layout) {
    columns.update(repeating: nil)
    for (slot, name, type) in properties {
      guard let property = layout.form(classID)?.schema.property(named: name),
        let column = layout.column(property.id, of: classID), column.element == type
      else { continue }
      columns[slot] = column
    }
    self.layout = layout
  }

  /// Calls `body` with the reader and a column; under a lock if something frozen shares the reader.
  @inline(__always)
  private func read<R>(
    _ slot: Int, _ body: (TransactionReader, Layout.Column) -> R?
  ) -> R? {
    if session.isClosed { return nil }
    if session.pinned != nil {
      return session.standing { reader in column(slot, in: reader).flatMap { body(reader, $0) } }
    }
    let reader = reader
    return column(slot, in: reader).flatMap { body(reader, $0) }
  }

  /// Returns an integer, a bool as 0 or 1, or the number of a linked object; nil for nil, for a missing object
  /// and for what cannot be read.
  package func integer(_ slot: Int, of number: ObjectNumber) -> Int? {
    read(slot) { $0.storage.integer($1.id, number) }
  }

  package func double(_ slot: Int, of number: ObjectNumber) -> Double? {
    read(slot) { $0.storage.double($1.id, number) }
  }

  package func float(_ slot: Int, of number: ObjectNumber) -> Float? {
    read(slot) { $0.storage.float($1.id, number) }
  }

  package func date(_ slot: Int, of number: ObjectNumber) -> Timestamp? {
    read(slot) { $0.storage.date($1.id, number) }
  }

  package func string(_ slot: Int, of number: ObjectNumber) -> String? {
    read(slot) { reader, column in
      reader.storage.withBytes(column.id, number) { bytes in
        bytes.map { String(decoding: $0, as: UTF8.self) }
      }
    }
  }

  /// Returns any single value; null for a missing object and for what cannot be read.
  package func value(_ slot: Int, of number: ObjectNumber) -> Value {
    read(slot) { $0.value($1, number) } ?? .null
  }

  /// The property of a slot in the session's schema; nil if it is missing or has another type.
  package func property(_ slot: Int) -> PropertyID? { read(slot) { $1.property } }

  package func exists(_ number: ObjectNumber) -> Bool {
    session.exists(ObjectID(classID, number))
  }

  /// Why a read of a slot returned nil, if it was not the value: the session is closed, the object or the
  /// property is missing, or the store is damaged.
  @inline(never)
  package func failure(_ slot: Int, of number: ObjectNumber) -> HeraldError? {
    do throws(HeraldError) {
      try session.checkOpen()
      try session.checkIntact()
      let classSchema = try session.checkedClass(of: ObjectID(classID, number))
      if property(slot) == nil, let name = properties.first(where: { $0.slot == slot })?.name {
        return .droppedFromSchema("property '\(name)' of class '\(classSchema.name)'")
      }
      return nil
    } catch {
      return error
    }
  }
}
