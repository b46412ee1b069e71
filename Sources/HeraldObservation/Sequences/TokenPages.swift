/// Elements by the number of their token, in pages that are freed when empty.
///
/// A reference type, since it owns the memory of the pages: an element is read and changed in its place, without a copy of
/// the whole of it.
final class TokenPages<Element> {
  /// 64 elements, of which those exist whose bits are set.
  private struct Page {
    var members: UInt64 = 0
    /// Nil for an empty page.
    var elements: UnsafeMutablePointer<Element>?
  }

  private static var pageSize: Int { 64 }
  @exclusivity(unchecked) private var pages: [Page] = []

  init() {}

  deinit {
    for id in ids { _ = remove(id) }
  }

  func contains(_ id: TokenID) -> Bool { place(of: id) != nil }

  subscript(id: TokenID) -> Element? { @inline(__always) get { place(of: id)?.pointee } }

  /// Returns the place of an element, until it is removed; nil for a token without one.
  @inline(__always)
  func place(of id: TokenID) -> UnsafeMutablePointer<Element>? {
    let (page, index) = Self.location(of: id)
    guard page >= 0, page < pages.count, pages[page].members & (1 << UInt64(index)) != 0,
      let elements = pages[page].elements
    else { return nil }
    return elements + index
  }

  @inline(__always)
  private static func location(of id: TokenID) -> (page: Int, index: Int) {
    // Shifted, since a division would look at the sign.
    (id.rawValue >> 6, id.rawValue & 63)
  }

  /// Every element, in the order of registration.
  var all: [Element] { ids.compactMap { self[$0] } }

  /// The tokens with an element, in the order of registration.
  var ids: [TokenID] {
    pages.enumerated().flatMap { page, content in
      (0..<Self.pageSize).filter { content.members & (1 << UInt64($0)) != 0 }
        .map { TokenID(rawValue: page * Self.pageSize + $0) }
    }
  }

  /// Adds the element of a token that has none.
  func insert(_ element: Element, _ id: TokenID) {
    let (page, index) = Self.location(of: id)
    while pages.count <= page { pages.append(Page()) }
    let elements = pages[page].elements ?? .allocate(capacity: Self.pageSize)
    (elements + index).initialize(to: element)
    pages[page].elements = elements
    pages[page].members |= 1 << UInt64(index)
  }

  /// Removes an element and returns it.
  func remove(_ id: TokenID) -> Element? {
    guard let place = place(of: id) else { return nil }
    let element = place.move()
    let (page, index) = Self.location(of: id)
    pages[page].members &= ~(1 << UInt64(index))
    if pages[page].members == 0 {
      pages[page].elements?.deallocate()
      pages[page].elements = nil
    }
    return element
  }
}
