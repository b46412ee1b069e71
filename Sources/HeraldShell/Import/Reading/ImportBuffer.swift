import Glibc

/// A window over the text of an imported file: the bytes that were read and not consumed yet.
///
/// It grows only for a record that is longer than it, so that its memory does not depend on the file's size.
final class ImportBuffer {
  private let input: ImportInput
  @exclusivity(unchecked) private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 18
  /// The first byte that is not consumed.
  @exclusivity(unchecked) var start = 0
  @exclusivity(unchecked) private(set) var end = 0
  /// Whether the file has no more bytes.
  @exclusivity(unchecked) private(set) var isComplete = false

  init(_ input: ImportInput) {
    self.input = input
    bytes = Self.memory(capacity)
  }

  deinit { bytes.deallocate() }

  /// Allocates a window with zeros behind it, so that text is searched in words of eight bytes: the search ends there.
  private static func memory(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + 8)
    bytes.initialize(repeating: 0, count: capacity + 8)
    return bytes
  }

  /// What is read and not consumed.
  var content: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: end - start)
  }

  var progress: Double { input.progress }

  /// Reads more bytes. Positions move, so that the first byte which is not consumed is at 0.
  func fill() throws(File.Failure) {
    if start > 0 {
      memmove(bytes, bytes + start, end - start)
      end -= start
      start = 0
    }
    if end == capacity { grow() }
    let room = UnsafeMutableRawBufferPointer(start: bytes + end, count: capacity - end)
    let count = try input.read(into: room)
    end += count
    isComplete = count == 0
  }

  private func grow() {
    let larger = Self.memory(capacity * 2)
    larger.update(from: bytes, count: end)
    bytes.deallocate()
    bytes = larger
    capacity *= 2
  }

  /// Starts again from the beginning of the file.
  func rewind() throws(File.Failure) {
    try input.rewind()
    (start, end, isComplete) = (0, 0, false)
  }
}
