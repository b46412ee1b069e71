package import HeraldModel

/// An ascending set of object numbers, kept as closed ranges: what was created is mostly one run.
package struct NumberRanges: Sendable, Equatable {
  package private(set) var ranges: [ClosedRange<ObjectNumber>] = []

  package init() {}

  package init(_ numbers: some Sequence<ObjectNumber>) {
    for number in numbers { insert(number) }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  package func contains(_ number: ObjectNumber) -> Bool {
    let place = self.place(of: number)
    return place < ranges.count && ranges[place].lowerBound <= number
  }

  /// O(1) for a number above all others, else O(ranges).
  package mutating func insert(_ number: ObjectNumber) {
    let place = self.place(of: number)
    if place < ranges.count && ranges[place].lowerBound <= number { return }
    let joinsBelow = place > 0 && ranges[place - 1].upperBound == number - 1
    let joinsAbove = place < ranges.count && ranges[place].lowerBound == number + 1
    switch (joinsBelow, joinsAbove) {
    case (true, true):
      ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
      ranges.remove(at: place)
    case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound...number
    case (false, true): ranges[place] = number...ranges[place].upperBound
    case (false, false): ranges.insert(number...number, at: place)
    }
  }

  /// Adds a whole range above all others; elsewhere number by number.
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
    let place = self.place(of: number)
    guard place < ranges.count, ranges[place].lowerBound <= number else { return }
    let range = ranges.remove(at: place)
    if number < range.upperBound { ranges.insert(number + 1...range.upperBound, at: place) }
    if range.lowerBound < number { ranges.insert(range.lowerBound...number - 1, at: place) }
  }

  /// Ascending.
  package var numbers: some Sequence<ObjectNumber> { ranges.lazy.joined() }

  package func forEach(_ body: (ObjectNumber) throws -> Void) rethrows {
    for range in ranges {
      for number in range { try body(number) }
    }
  }

  /// The first range that ends at `number` or above.
  private func place(of number: ObjectNumber) -> Int {
    if let last = ranges.last, last.upperBound < number { return ranges.count }
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
