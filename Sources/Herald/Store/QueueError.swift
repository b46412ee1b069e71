import Dispatch

/// A queue that a store, or an observer, cannot be on, since it runs several blocks at once.
public struct QueueError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the queue's label.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension QueueError {
  /// Throws for a concurrent queue.
  static func check(_ queue: DispatchQueue) throws {
    if queue.isConcurrent {
      throw QueueError(
        "the queue '\(queue.label)' is concurrent; a store and its observers need a serial one")
    }
  }
}

@_silgen_name("dispatch_queue_get_label")
private func labelOfQueue(_ queue: UnsafeRawPointer) -> UnsafeRawPointer?

extension DispatchQueue {
  /// Whether the queue runs several blocks at once. The library has no function that tells; a queue keeps its width
  /// after its label. False where that is not found.
  fileprivate var isConcurrent: Bool {
    let wrapper = unsafeBitCast(self, to: UnsafeRawPointer.self)
    let queue = wrapper.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    let labelBits = UInt(bitPattern: labelOfQueue(queue))
    guard
      let word = (6..<12).first(where: {
        queue.load(fromByteOffset: $0 * 8, as: UInt.self) == labelBits
      })
    else { return false }
    return queue.load(fromByteOffset: (word + 1) * 8, as: UInt16.self) > 1
  }
}
