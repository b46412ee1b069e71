import HeraldModel
import HeraldQuery

extension ListView {
  /// The invariants of the rows that do not hold in `reader`'s version. O(n).
  func violations(_ reader: any ObjectReader) -> [String] {
    switch rows {
    case .values(let count):
      let expected = reader.listCount(property, of: owner)
      return count == expected ? [] : ["\(count) rows of \(expected)"]
    case .links(let linked):
      var elements: [Value] = []
      reader.forEachElement(property, of: owner) { element in
        elements.append(element)
        return true
      }
      return linked.violations(elements)
    case .objects(let sequence):
      var expected: [ObjectNumber] = []
      reader.forEachElement(property, of: owner) { element in
        expected.append(number(element))
        return true
      }
      var actual: [ObjectNumber] = []
      sequence.forEachNumber { actual.append($0) }
      return sequence.violations
        + (expected == actual ? [] : ["rows are \(actual), the list is \(expected)"])
    }
  }
}
