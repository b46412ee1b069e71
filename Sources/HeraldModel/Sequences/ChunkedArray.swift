/// An array whose copy costs one reference for each chunk of elements, and a change of the copy one chunk.
///
/// A schema and its layout are copied for every declared class: with ordinary arrays, whose elements are
/// references, thousands of declarations would take time that grows with the square of their number.
package struct ChunkedArray<Element: Sendable>: Sendable {
  private static var chunkSize: Int { 64 }

  /// All but the last have `chunkSize` elements; none is empty.
  private var chunks: [[Element]] = []
  package private(set) var count = 0

  package init() {}

  package init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Makes an array of the first `count` elements of another one, whose full chunks it shares.
  package init(prefix count: Int, of other: ChunkedArray) {
    let full = count / Self.chunkSize
    chunks = Array(other.chunks[..<full])
    if count % Self.chunkSize > 0 {
      chunks.append(Array(other.chunks[full].prefix(count % Self.chunkSize)))
    }
    self.count = count
  }

  package mutating func append(_ element: Element) {
    if count % Self.chunkSize == 0 {
      chunks.append([element])
    } else {
      chunks[chunks.count - 1].append(element)
    }
    count += 1
  }

  /// Removes an element. O(elements after it).
  package mutating func remove(at index: Int) {
    let moved = self[(index + 1)...]
    self = ChunkedArray(prefix: index, of: self)
    for element in moved { append(element) }
  }

  /// Returns the length of a common prefix of whole chunks that share their storage. O(chunks).
  package func sharedPrefixCount(with other: ChunkedArray) -> Int {
    var shared = 0
    for (mine, others) in zip(chunks, other.chunks) {
      let isShared = mine.withUnsafeBufferPointer { mine in
        others.withUnsafeBufferPointer {
          mine.baseAddress == $0.baseAddress && mine.count == $0.count
        }
      }
      guard isShared else { break }
      shared += mine.count
    }
    return shared
  }
}

extension ChunkedArray: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> Element {
    get { chunks[index / Self.chunkSize][index % Self.chunkSize] }
    set { chunks[index / Self.chunkSize][index % Self.chunkSize] = newValue }
  }
}
