/// A field in the memory of a file.
struct CSVSpan {
  var start: Int
  var end: Int
  var isQuoted: Bool
  /// Whether it contains doubled quotes, each of which means one, or a sign behind an escape.
  var hasEscapes: Bool
}

/// The fields of a record, in memory that is reused.
final class CSVSpans {
  @exclusivity(unchecked) private(set) var capacity = 16
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<CSVSpan>

  /// A text that is not in the file.
  @exclusivity(unchecked) private var held: UnsafeMutableBufferPointer<UInt8>

  init() {
    base = .allocate(capacity: 16)
    held = .allocate(capacity: 64)
  }

  deinit {
    base.deallocate()
    held.deallocate()
  }

  /// Keeps a text until the next one.
  func hold(_ text: [UInt8]) -> UnsafeBufferPointer<UInt8> {
    if text.count > held.count {
      held.deallocate()
      held = .allocate(capacity: 2 * text.count)
    }
    let end = held.update(fromContentsOf: text)
    return UnsafeBufferPointer(rebasing: held[..<end])
  }

  subscript(index: Int) -> CSVSpan {
    @inline(__always) get { base[index] }
    @inline(__always) _modify { yield &base[index] }
  }

  func grow() {
    let larger = UnsafeMutablePointer<CSVSpan>.allocate(capacity: capacity * 2)
    larger.initialize(from: base, count: capacity)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
