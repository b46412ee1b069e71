@testable import HeraldShell

/// Bytes in memory.
final class ArraySource: RewindableSource {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  func rewind() { position = 0 }
}

extension ImportReader {
  /// A reader of bytes in memory.
  init(_ bytes: [UInt8], _ form: ImportForm = ImportForm()) throws(Failure) {
    let input: ImportInput
    do throws(File.Failure) {
      input = try ImportInput(ArraySource(bytes), encoding: form.encoding)
    } catch {
      throw Failure(line: 1, reason: error.reason)
    }
    try self.init(input, form)
  }
}
