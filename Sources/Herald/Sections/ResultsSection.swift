import HeraldModel
import HeraldQuery

/// One section of sectioned results: the elements of one key, in the order of the results. It is live, and empty while there
/// are none of its key.
public struct ResultsSection<Key: Storable & Hashable, Element: CollectionElement> {
  let sections: SectionedResults<Key, Element>
  /// What the elements of the section have in common.
  public let key: Key
  let value: Value

  init(_ sections: SectionedResults<Key, Element>, _ key: Key, _ value: Value) {
    self.sections = sections
    self.key = key
    self.value = value
  }

  /// The same as `key`, for what identifies rows by it.
  public var id: Key { key }

  /// Whether the section is immutable, at one version of its store.
  public var isFrozen: Bool { sections.isFrozen }

  /// Whether the store of the section was closed.
  public var isInvalidated: Bool { sections.isInvalidated }

  /// The store of the section.
  public var store: Store { sections.store }

  /// Whether both are the section of one key of the same results.
  package func isSame(as other: ResultsSection) -> Bool {
    sections.isSame(as: other.sections) && Value.order(value, other.value) == 0
  }

  /// The rows of the section among all rows.
  private var range: Range<Int> {
    sections.bounds.first { Value.order($0.key, value) == 0 }?.rows ?? 0..<0
  }
}

extension ResultsSection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }
  /// The number of elements. O(sections) after a read.
  public var count: Int { range.count }

  /// The element at an index; one out of range stops the program.
  public subscript(index: Int) -> Element {
    let range = range
    guard index >= 0, index < range.count else {
      stopProgram("index \(index) is out of range: the section has \(range.count) rows")
    }
    let place = range.lowerBound + index
    return elements(at: place..<(place + 1))[0]
  }

  /// Iterates over the elements that there are at this moment.
  public func makeIterator() -> IndexingIterator<[Element]> {
    elements(at: range).makeIterator()
  }

  private func elements(at places: Range<Int>) -> [Element] {
    sections.rows.elements(at: sections.found { try sections.query.order(at: places) })
  }
}

extension ResultsSection: Freezable {
  public var _core: StoreCore? { sections._core }

  public var _finder: ConfinedFinder? {
    guard let core = _core, let finder = sections._finder else { return nil }
    return ConfinedFinder(core) { [value] core in
      (try finder.find(core) as? SectionedResults<Key, Element>).map {
        ResultsSection($0, $0.key(value), value)
      }
    }
  }
}

extension ResultsSection: CustomStringConvertible {
  /// The key and the elements in brackets.
  public var description: String {
    "\(key._text): [" + map { String(describing: $0) }.joined(separator: ", ") + "]"
  }
}
