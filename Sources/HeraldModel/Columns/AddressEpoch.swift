/// The period in which the addresses of a session's values are valid. It ends when the session moves to another
/// version, loses the memory of its own, meets damage, or gets another schema.
///
/// Addresses that are noted carry the epoch. While the session writes, is closed, rests, or shares its reader with
/// something frozen, there is no epoch, and no address is used. Belongs to the session's thread.
package final class AddressEpoch {
  /// The present epoch, or `ColumnAddresses.noEpoch`.
  package let present: UnsafeMutablePointer<UInt64>
  private var last: UInt64 = 1

  package init() {
    present = .allocate(capacity: 1)
    present.initialize(to: ColumnAddresses.noEpoch)
  }

  deinit { present.deallocate() }

  /// Whether addresses may be noted and used.
  package var isOpen: Bool {
    get { present.pointee != ColumnAddresses.noEpoch }
    set { present.pointee = newValue ? last : ColumnAddresses.noEpoch }
  }

  /// Ends the epoch: every address that was noted is invalid.
  package func end() {
    last &+= 1
    precondition(last >> BlockAddress.epochBits == 0, "no epochs are left")
    if isOpen { present.pointee = last }
  }
}
