/// Elements by the number of their token, in pages that are freed when empty.
struct TokenPages<Element> {
  private static var pageSize: Int { 64 }
  private var pages: [[Element?]] = []
  /// The number of elements in each page.
  private var counts: [UInt8] = []

  subscript(id: TokenID) -> Element? {
    let page = id.rawValue / Self.pageSize
    guard id.rawValue >= 0, page < pages.count, !pages[page].isEmpty else { return nil }
    return pages[page][id.rawValue % Self.pageSize]
  }

  /// Every element, in the order of registration.
  var all: [Element] { pages.joined().compactMap(\.self) }

  /// The tokens with an element, in the order of registration.
  var ids: [TokenID] {
    pages.enumerated().flatMap { page, elements in
      elements.indices.filter { elements[$0] != nil }
        .map { TokenID(rawValue: page * Self.pageSize + $0) }
    }
  }

  /// Adds the element of a token that has none.
  mutating func insert(_ element: Element, _ id: TokenID) {
    let page = id.rawValue / Self.pageSize
    while pages.count <= page {
      pages.append([])
      counts.append(0)
    }
    if pages[page].isEmpty { pages[page] = [Element?](repeating: nil, count: Self.pageSize) }
    pages[page][id.rawValue % Self.pageSize] = element
    counts[page] += 1
  }

  /// Removes an element and returns it.
  mutating func remove(_ id: TokenID) -> Element? {
    guard let element = self[id] else { return nil }
    let page = id.rawValue / Self.pageSize
    pages[page][id.rawValue % Self.pageSize] = nil
    counts[page] -= 1
    if counts[page] == 0 { pages[page] = [] }
    return element
  }
}
