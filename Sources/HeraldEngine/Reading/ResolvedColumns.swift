@_spi(Blocks) package import HeraldModel
import HeraldObservation
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
  /// The addresses of the values of each slot, in the epoch `epoch`, as far as they were read.
  package let addresses: UnsafeMutablePointer<ColumnAddresses>
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
    addresses = .allocate(capacity: slotCount)
    addresses.initialize(repeating: ColumnAddresses(), count: slotCount)
  }

  deinit {
    for slot in columns.indices { addresses[slot].free() }
    addresses.deallocate()
    columns.deallocate()
  }

  /// The present epoch of the session's addresses.
  package var epoch: UnsafeMutablePointer<UInt64> { session.addresses.epoch.present }

  /// The reader of the session's version, with the changes of its open write.
  @inline(__always) private var reader: TransactionReader {
    session.writing.reader ?? session.snapshot
  }

  @inline(__always)
  private func column(_ slot: Int, in reader: TransactionReader) -> Layout.Column? {
    if reader.layout !== layout { resolve(reader.layout) }
    return columns[slot]
  }

  @inline(never)
  private func resolve(_ layout: Layout) {
    columns.update(repeating: nil)
    for slot in columns.indices { addresses[slot].free() }
    for (slot, name, type) in properties {
      guard let property = layout.form(classID)?.schema.property(named: name),
        let column = layout.column(property.id, of: classID), column.element == type
      else { continue }
      columns[slot] = column
    }
    self.layout = layout
  }

  /// The property of a slot in the schema of an earlier version.
  private func property(_ slot: Int, in previous: PreviousReader) -> PropertyID? {
    guard let (_, name, type) = properties.first(where: { $0.slot == slot }),
      let found = previous.schema.classSchema(classID)?.property(named: name),
      found.type.element == type
    else { return nil }
    return found.id
  }

  /// Calls `body` with the reader and a column; under a lock if something frozen shares the reader. In an
  /// earlier version calls `previous` with the value.
  @inline(__always)
  private func read<R>(
    _ slot: Int, of number: ObjectNumber, _ body: (TransactionReader, Layout.Column) -> R?,
    previous: (Value) -> R?
  ) -> R? {
    if session.isClosed { return nil }
    if session.position.isShared {
      if let earlier = session.position.previous {
        return property(slot, in: earlier).flatMap {
          previous(earlier.value($0, of: ObjectID(classID, number)))
        }
      }
      return session.standing { reader in column(slot, in: reader).flatMap { body(reader, $0) } }
    }
    let reader = reader
    guard let column = column(slot, in: reader) else { return nil }
    defer { session.noteAddress(of: column, number, in: &addresses[slot]) }
    return body(reader, column)
  }

  /// Returns an integer, a bool as 0 or 1, or the number of a linked object; nil for nil, for a missing object
  /// and for what cannot be read.
  package func integer(_ slot: Int, of number: ObjectNumber) -> Int? {
    read(slot, of: number) {
      $0.storage.integer($1.id, number)
    } previous: {
      switch $0 {
      case .int(let value): value
      case .bool(let value): value ? 1 : 0
      case .link(let target): target.number
      case _: nil
      }
    }
  }

  package func double(_ slot: Int, of number: ObjectNumber) -> Double? {
    read(slot, of: number) {
      $0.storage.double($1.id, number)
    } previous: {
      if case .double(let value) = $0 { value } else { nil }
    }
  }

  package func float(_ slot: Int, of number: ObjectNumber) -> Float? {
    read(slot, of: number) {
      $0.storage.float($1.id, number)
    } previous: {
      if case .float(let value) = $0 { value } else { nil }
    }
  }

  package func date(_ slot: Int, of number: ObjectNumber) -> Timestamp? {
    read(slot, of: number) {
      $0.storage.date($1.id, number)
    } previous: {
      if case .date(let value) = $0 { value } else { nil }
    }
  }

  package func string(_ slot: Int, of number: ObjectNumber) -> String? {
    read(slot, of: number) { reader, column in
      reader.storage.withBytes(column.id, number) { bytes in
        bytes.map { String(decoding: $0, as: UTF8.self) }
      }
    } previous: {
      if case .string(let text) = $0 { text } else { nil }
    }
  }

  /// Returns any single value; null for a missing object and for what cannot be read.
  package func value(_ slot: Int, of number: ObjectNumber) -> Value {
    read(slot, of: number) {
      $0.value($1, number)
    } previous: {
      $0
    } ?? .null
  }

  /// The property of a slot in the session's schema; nil if it is missing or has another type.
  package func property(_ slot: Int) -> PropertyID? {
    if let previous = session.position.previous { return property(slot, in: previous) }
    return read(slot, of: 0) {
      $1.property
    } previous: { _ in
      nil
    }
  }

  package func exists(_ number: ObjectNumber) -> Bool {
    session.exists(ObjectID(classID, number))
  }

  /// Whether the session is at an earlier version whose schema lacks the property.
  private func isMissingInPast(_ slot: Int) -> Bool { session.isPast && property(slot) == nil }

  /// Returns the column of a property of which an object has a value, in the open write; nil without a value or a write.
  @inline(__always)
  package func column(_ slot: Int, ofValueOf number: ObjectNumber) -> Layout.Column? {
    guard let open = session.writing.reference else { return nil }
    return open._withUnsafeGuaranteedRef { write in
      guard let column = column(slot, in: write.reader),
        write.transaction.snapshot.hasValue(column.id, number)
      else { return nil }
      return column
    }
  }

  /// Why a read of a slot returned nil, if it was not the value: the session is closed, the object or the
  /// property is missing, or the store is damaged.
  @inline(never)
  package func failure(_ slot: Int, of number: ObjectNumber) -> HeraldError? {
    do throws(HeraldError) {
      try session.checkOpen()
      try session.checkIntact()
      let classSchema = try session.checkedClass(of: ObjectID(classID, number))
      if property(slot) == nil, !isMissingInPast(slot),
        let name = properties.first(where: { $0.slot == slot })?.name
      {
        return .droppedFromSchema("property '\(name)' of class '\(classSchema.name)'")
      }
      return nil
    } catch {
      return error
    }
  }
}
