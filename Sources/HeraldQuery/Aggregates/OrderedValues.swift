import HeraldModel

/// Different values in order, each with how often it is there; in parts of some hundred, so that adding and removing one
/// costs O(log n) comparisons and moves few others.
struct OrderedValues: Sendable {
  private struct Entry {
    let value: Value
    var count: Int
  }

  private static let largestPart = 256
  /// No part is empty.
  private var parts: [[Entry]] = []
  /// How many values each part has, equal ones too.
  private var sizes: [Int] = []
  /// How many values there are, equal ones too.
  private(set) var count = 0

  var first: Value? { parts.first?.first?.value }
  var last: Value? { parts.last?.last?.value }

  /// The value at a position in the order. O(parts), of which there is one for some hundred different values.
  subscript(position: Int) -> Value {
    var rest = position
    var part = 0
    while rest >= sizes[part] {
      rest -= sizes[part]
      part += 1
    }
    for entry in parts[part] {
      if rest < entry.count { return entry.value }
      rest -= entry.count
    }
    preconditionFailure("a part has fewer values than its size")
  }

  mutating func add(_ value: Value) {
    count += 1
    guard !parts.isEmpty else {
      parts = [[Entry(value: value, count: 1)]]
      sizes = [1]
      return
    }
    let part = part(of: value)
    sizes[part] += 1
    let index = Self.index(of: value, in: parts[part])
    if index < parts[part].count, Value.order(parts[part][index].value, value) == 0 {
      parts[part][index].count += 1
      return
    }
    parts[part].insert(Entry(value: value, count: 1), at: index)
    guard parts[part].count > Self.largestPart else { return }
    let upper = Array(parts[part][(Self.largestPart / 2)...])
    parts[part].removeSubrange((Self.largestPart / 2)...)
    parts.insert(upper, at: part + 1)
    let size = upper.reduce(0) { $0 + $1.count }
    sizes[part] -= size
    sizes.insert(size, at: part + 1)
  }

  /// Adds all of others.
  mutating func add(_ other: OrderedValues) {
    for entry in other.parts.joined() {
      for _ in 0..<entry.count { add(entry.value) }
    }
  }

  /// Removes a value once; does nothing if it is not there.
  mutating func remove(_ value: Value) {
    guard !parts.isEmpty else { return }
    let part = part(of: value)
    let index = Self.index(of: value, in: parts[part])
    guard index < parts[part].count, Value.order(parts[part][index].value, value) == 0 else {
      return
    }
    parts[part][index].count -= 1
    sizes[part] -= 1
    count -= 1
    guard parts[part][index].count == 0 else { return }
    parts[part].remove(at: index)
    guard parts[part].isEmpty else { return }
    parts.remove(at: part)
    sizes.remove(at: part)
  }

  /// Returns the last part whose first value is not after `value`; the first part if there is none.
  private func part(of value: Value) -> Int {
    max(0, parts.partitionPoint { Value.order($0[0].value, value) <= 0 } - 1)
  }

  private static func index(of value: Value, in part: [Entry]) -> Int {
    part.partitionPoint { Value.order($0.value, value) < 0 }
  }
}
