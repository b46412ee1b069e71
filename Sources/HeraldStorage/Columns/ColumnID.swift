/// The column of a class in which one property's values are kept, block by block.
///
/// Property 0 of a class is its presence column, which records the object numbers in use; the
/// properties themselves are numbered from 1.
package struct ColumnID: Hashable, Sendable {
  package let classID: UInt32
  package let propertyID: UInt32

  package init(classID: UInt32, propertyID: UInt32) {
    self.classID = classID
    self.propertyID = propertyID
  }

  /// Both numbers in one word, in the order of the store's keys.
  @inline(__always) var packed: UInt64 { UInt64(classID) << 32 | UInt64(propertyID) }
}
