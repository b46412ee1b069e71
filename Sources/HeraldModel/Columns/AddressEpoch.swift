/// The period in which the addresses of a session's values are valid. It ends when the session moves to another
/// version, loses the memory of its own, meets damage, or gets another schema.
///
/// Addresses that are noted carry the epoch. While the session writes, is closed, rests, or shares its reader with
/// something frozen, there is no epoch, and no address is used. Belongs to the session's thread.
package final class AddressEpoch {
  /// The present epoch, or `ColumnAddresses.noEpoch`.
  package let present: UnsafeMutablePointer<UInt64>
  private var last: UInt64 = 1
  /// There is an epoch as long as there are none.
  @exclusivity(unchecked) private var obstacles = Obstacles.reading

  /// What keeps a session's addresses from being noted and used.
  package struct Obstacles: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It rests or failed to resume, is frozen, or shares its reader with something frozen.
    package static let reading = Obstacles(rawValue: 1)
    /// It has an open write.
    package static let writing = Obstacles(rawValue: 2)
    package static let closed = Obstacles(rawValue: 4)
  }

  package init() {
    present = .allocate(capacity: 1)
    present.initialize(to: ColumnAddresses.noEpoch)
  }

  deinit { present.deallocate() }

  /// Whether addresses may be noted and used.
  package var isOpen: Bool { present.pointee != ColumnAddresses.noEpoch }

  package func block(_ obstacle: Obstacles) {
    obstacles.formUnion(obstacle)
    present.pointee = ColumnAddresses.noEpoch
  }

  /// Removes an obstacle, whether it is there or not.
  package func unblock(_ obstacle: Obstacles) {
    obstacles.subtract(obstacle)
    if obstacles.isEmpty { present.pointee = last }
  }

  /// Ends the epoch: every address that was noted is invalid.
  package func end() {
    last &+= 1
    precondition(last >> BlockAddress.epochBits == 0, "no epochs are left")
    if isOpen { present.pointee = last }
  }
}
