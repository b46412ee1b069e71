import Glibc
import Herald

/// Some lines of an input, each with its end.
struct LineBatch {
  let bytes: [UInt8]
  /// Where each line begins, and where the last one ends.
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      var start = 0
      while let end = memchr(first + start, Int32(Byte.newline), bytes.count - start) {
        start = UnsafeRawPointer(end) - first + 1
        starts.append(start)
      }
    }
    self.starts = starts
  }

  var count: Int { starts.count - 1 }

  subscript(lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[starts[lines.lowerBound]..<starts[lines.upperBound]]
  }

  func dropFirst(_ count: Int) -> LineBatch { LineBatch(Array(self[count..<self.count])) }

  func isBlank(_ line: Int) -> Bool { self[line..<line + 1].allSatisfy { $0 <= 0x20 } }

  /// Whether a line is neither blank nor a comment that begins with these bytes.
  func hasRecord(_ line: Int, comment: [UInt8]) -> Bool {
    if comment.isEmpty, bytes[starts[line]] > 0x20 { return true }
    return !isBlank(line) && (comment.isEmpty || !self[line..<line + 1].starts(with: comment))
  }
}

/// Bytes in memory as a file.
final class MemorySource: RewindableSource {
  private let bytes: [UInt8]
  private(set) var position = 0
  var size: Int { bytes.count }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }

  func rewind() { position = 0 }
}
