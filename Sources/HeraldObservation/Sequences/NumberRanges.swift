package import HeraldModel

/// A set of object numbers as ascending closed ranges, since created objects are mostly one run.
package struct NumberRanges: Sendable, Equatable {
  package private(set) var ranges: [ClosedRange<ObjectNumber>] = []

  package init() {}

  package init(_ numbers: some Sequence<ObjectNumber>) {
    for number in numbers { insert(number) }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  package func contains(_ number: ObjectNumber) -> Bool {
    let index = rangeIndex(of: number)
    return index < ranges.count && ranges[index].lowerBound <= number
  }

  /// O(1) for a number above all others, else O(ranges).
  package mutating func insert(_ number: ObjectNumber) {
    let index = rangeIndex(of: number)
    if index < ranges.count && ranges[index].lowerBound <= number { return }
    let joinsBelow = index > 0 && ranges[index - 1].upperBound == number - 1
    let joinsAbove = index < ranges.count && ranges[index].lowerBound == number + 1
    switch (joinsBelow, joinsAbove) {
    case (true, true):
      ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
      ranges.remove(at: index)
    case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
    case (false, true): ranges[index] = number...ranges[index].upperBound
    case (false, false): ranges.insert(number...number, at: index)
    }
  }

  /// Inserts a range. O(1) above all other numbers, else O(numbers · ranges).
  package mutating func insert(contentsOf range: ClosedRange<ObjectNumber>) {
    if let last = ranges.last, last.upperBound == range.lowerBound - 1 {
      ranges[ranges.count - 1] = last.lowerBound...range.upperBound
    } else if range.lowerBound > ranges.last?.upperBound ?? .min {
      ranges.append(range)
    } else {
      for number in range { insert(number) }
    }
  }

  package mutating func remove(_ number: ObjectNumber) {
    let index = rangeIndex(of: number)
    guard index < ranges.count, ranges[index].lowerBound <= number else { return }
    let range = ranges.remove(at: index)
    if number < range.upperBound { ranges.insert(number + 1...range.upperBound, at: index) }
    if range.lowerBound < number { ranges.insert(range.lowerBound...number - 1, at: index) }
  }

  /// The numbers, ascending.
  package var numbers: some Sequence<ObjectNumber> { ranges.lazy.joined() }

  package func forEach(_ body: (ObjectNumber) throws -> Void) rethrows {
    for range in ranges {
      for number in range { try body(number) }
    }
  }

  /// Calls `body` with the numbers that lie in a range. O(log ranges + numbers).
  func forEach(in range: ClosedRange<ObjectNumber>, _ body: (ObjectNumber) -> Void) {
    var index = rangeIndex(of: range.lowerBound)
    while index < ranges.count, ranges[index].lowerBound <= range.upperBound {
      for number in ranges[index].clamped(to: range) { body(number) }
      index += 1
    }
  }

  /// Returns the index of the first range that ends at `number` or above. O(log ranges).
  private func rangeIndex(of number: ObjectNumber) -> Int {
    if let last = ranges.last, last.upperBound < number { return ranges.count }
    return ranges.partitionPoint { $0.upperBound < number }
  }
}
