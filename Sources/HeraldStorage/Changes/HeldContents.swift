/// Contents of blocks that a write has in memory, and puts into their records before it commits: reads by their keys
/// find them until then.
package protocol HeldContents: AnyObject {
  /// Returns the content of the record of `columns` with a key; nil if it is not held.
  func content(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
}
