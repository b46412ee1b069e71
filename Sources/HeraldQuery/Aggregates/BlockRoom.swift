import HeraldModel

/// Room for the values of a block, for one thread.
package final class BlockRoom {
  let integers = UnsafeMutablePointer<Int>.allocate(capacity: blockSize)
  let doubles = UnsafeMutablePointer<Double>.allocate(capacity: blockSize)
  /// The groups of rows, and their numbers by one key.
  let groups = UnsafeMutablePointer<UInt32>.allocate(capacity: blockSize)
  let further = UnsafeMutablePointer<UInt32>.allocate(capacity: blockSize)

  init() {
    groups.initialize(repeating: 0, count: blockSize)
    further.initialize(repeating: 0, count: blockSize)
    integers.initialize(repeating: 0, count: blockSize)
    doubles.initialize(repeating: 0, count: blockSize)
  }

  deinit {
    integers.deallocate()
    doubles.deallocate()
    groups.deallocate()
    further.deallocate()
  }
}
