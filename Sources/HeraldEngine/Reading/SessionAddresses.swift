@_spi(Blocks) package import HeraldModel
import HeraldStorage

/// The addresses of values that a session has read, by the names of properties, and of the presence of objects.
///
/// Reads use these addresses while the session's epoch lasts. Used by the session's thread.
package final class SessionAddresses {
  package let epoch = AddressEpoch()
  /// The properties with short names that were read, each in a place of its own: a table with open addressing, at most
  /// half of whose places are taken.
  private var named: UnsafeMutableBufferPointer<NamedColumn>
  private var namedCount = 0
  /// The presence of the objects of each class, by its number.
  private var presence: UnsafeMutableBufferPointer<ColumnAddresses>
  private static let mostClasses = 1024
  private let knowsSmallStrings = String.hasKnownSmallForm

  private struct NamedColumn {
    /// Both words are 0 in a free place.
    var name: (UInt64, UInt64) = (0, 0)
    var classID = ClassID(0)
    var column = ColumnID(classID: 0, propertyID: 0)
    var element = ElementType.any
    var addresses = ColumnAddresses()

    var isFree: Bool { name == (0, 0) }
  }

  init() {
    named = Self.free(64)
    presence = .init(start: nil, count: 0)
  }

  private static func free(_ count: Int) -> UnsafeMutableBufferPointer<NamedColumn> {
    let places = UnsafeMutableBufferPointer<NamedColumn>.allocate(capacity: count)
    places.initialize(repeating: NamedColumn())
    return places
  }

  deinit {
    for index in named.indices { named[index].addresses.free() }
    named.deallocate()
    for index in presence.indices { presence[index].free() }
    presence.deallocate()
  }

  /// Returns the place of a property, or the free one that it would have.
  @inline(__always)
  private func place(
    _ name: (UInt64, UInt64), _ classID: ClassID
  ) -> UnsafeMutablePointer<NamedColumn> {
    let mixed =
      (name.0 ^ name.1 &<< 13 ^ UInt64(classID.rawValue) &<< 7) &* 0x9E37_79B9_7F4A_7C15
    let mask = named.count &- 1
    var index = Int(truncatingIfNeeded: mixed &>> 32) & mask
    while true {
      let place = named.baseAddress.unsafelyUnwrapped + index
      if place.pointee.name == name && place.pointee.classID == classID || place.pointee.isFree {
        return place
      }
      index = (index &+ 1) & mask
    }
  }

  /// Returns a property's value, if its address is noted and it is not nil.
  @inline(__always)
  fileprivate func value(named name: String, of object: ObjectID) -> Value? {
    guard knowsSmallStrings, let words = name.smallWords else { return nil }
    let place = place(words, object.classID)
    guard let block = place.pointee.addresses.block(of: object.number, epoch.present.pointee)
    else { return nil }
    let row = object.number & 255
    switch place.pointee.element {
    case .int: return block.integer(row).map(Value.int)
    case .string: return block.string(row).map(Value.string)
    case .double: return block.double(row).map(Value.double)
    case .bool: return block.integer(row).map { .bool($0 != 0) }
    case .float: return block.float(row).map(Value.float)
    case .link(let target): return block.integer(row).map { .link(ObjectID(target, $0)) }
    case .data, .date, .decimal, .uuid, .objectID, .any: return nil
    }
  }

  /// Notes the address of a property's value unless it is noted.
  func note(
    _ name: String, _ object: ObjectID, _ column: Layout.Column, in storage: StorageSnapshot
  ) {
    guard knowsSmallStrings, let words = name.smallWords, column.kind.hasAddresses else { return }
    var place = place(words, object.classID)
    if place.pointee.isFree {
      namedCount += 1
      if 2 * namedCount > named.count { place = grow(for: words, object.classID) }
    }
    // A name may become that of another property, and a property may get another type.
    if place.pointee.isFree || place.pointee.column != column.id
      || place.pointee.element != column.element
    {
      place.pointee.addresses.free()
      place.pointee = NamedColumn(
        name: words, classID: object.classID, column: column.id, element: column.element)
    }
    place.pointee.addresses.note(column, object.number, in: storage, epoch.present.pointee)
  }

  /// Doubles the table and returns the free place of another property.
  private func grow(
    for name: (UInt64, UInt64), _ classID: ClassID
  ) -> UnsafeMutablePointer<NamedColumn> {
    let small = named
    named = Self.free(2 * small.count)
    for column in small where !column.isFree {
      place(column.name, column.classID).pointee = column
    }
    small.deallocate()
    return place(name, classID)
  }

  /// Whether an object exists; nil if that is not noted.
  @inline(__always)
  fileprivate func has(_ object: ObjectID) -> Bool? {
    let index = Int(object.classID.rawValue)
    guard index < presence.count,
      let block = presence[index].block(of: object.number, epoch.present.pointee)
    else { return nil }
    return block.hasBit(object.number & 255)
  }

  /// Notes the address of the presence of an object's block.
  func notePresence(of object: ObjectID, in storage: StorageSnapshot) {
    let (classID, block) = (object.classID.rawValue, object.number >> 8)
    let index = Int(classID)
    guard epoch.isOpen, index < Self.mostClasses, object.number > 0,
      let address = storage.presenceAddress(
        classID, block: block, epoch: epoch.present.pointee)
    else { return }
    if index >= presence.count {
      let new = UnsafeMutableBufferPointer<ColumnAddresses>.allocate(capacity: 2 * index + 8)
      new.initialize(repeating: ColumnAddresses())
      for (index, known) in presence.enumerated() { new[index] = known }
      presence.deallocate()
      presence = new
    }
    presence[index].note(address, block: block, of: storage.blockCount(classID))
  }
}

extension ColumnAddresses {
  /// Notes the address of a value's block, if values of its kind have addresses, unless it is noted.
  mutating func note(
    _ column: Layout.Column, _ number: ObjectNumber, in storage: StorageSnapshot, _ epoch: UInt64
  ) {
    guard column.kind.hasAddresses, number > 0, block(of: number, epoch) == nil,
      let address = storage.address(column.id, column.kind, block: number >> 8, epoch: epoch)
    else { return }
    note(address, block: number >> 8, of: storage.blockCount(column.id.classID))
  }
}

extension ColumnKind {
  fileprivate var hasAddresses: Bool { self != .dates }
}

// Here, since another module would retain the addresses for each read, which takes as long as the rest of it.
extension Session {
  /// Returns a property's value, if its address is noted and it is not nil.
  package func notedValue(named name: String, of object: ObjectID) -> Value? {
    addresses.value(named: name, of: object)
  }

  /// Whether an object exists; nil if that is not noted.
  package func notedPresence(of object: ObjectID) -> Bool? { addresses.has(object) }
}

extension Session {
  /// Notes the address of a value that was read.
  @inline(__always)
  func noteAddress(
    of column: Layout.Column, _ number: ObjectNumber, in known: inout ColumnAddresses
  ) {
    let epoch = addresses.epoch
    if epoch.isOpen {
      known.note(column, number, in: position.reader.storage, epoch.present.pointee)
    }
  }
}
