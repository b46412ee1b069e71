package import HeraldModel

/// Values by property: those of one deleted object. An object has few properties, of which a sorted array costs a
/// fraction of a dictionary.
package struct PropertyValues: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package let value: Value
    package let property: PropertyID
  }

  /// Ascending by property.
  package private(set) var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }

  package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  /// The value of a property; nil if there is none. O(log n), and O(1) for the entry after the last one.
  package subscript(property: PropertyID) -> Value? {
    get {
      let index = index(of: property)
      return index < entries.count && entries[index].property == property
        ? entries[index].value : nil
    }
    set {
      let index = index(of: property)
      let isKnown = index < entries.count && entries[index].property == property
      guard let newValue else {
        if isKnown { entries.remove(at: index) }
        return
      }
      let entry = Entry(value: newValue, property: property)
      if isKnown { entries[index] = entry } else { entries.insert(entry, at: index) }
    }
  }

  /// The index of a property's entry, or where it would be.
  private func index(of property: PropertyID) -> Int {
    if let last = entries.last, last.property < property { return entries.count }
    return entries.partitionPoint { $0.property < property }
  }
}

extension PropertyValues: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (PropertyID, Value)...) {
    for (property, value) in elements { self[property] = value }
  }
}
