/// A callback of a session while it performs a command.
package enum ModelCall: Codable {
  /// A token's block is called, with the faults found so far.
  case notified(name: String, ModelEvent, faults: [String])
  /// The block of a write that was begun.
  case inside
  /// The block of a write that was queued.
  case queued
}
