import TestSupport

@testable import HeraldStorage

/// Commits of every kind of change, most of them small.
struct RandomCommits {
  private var objects: [Int] = [1]
  private var keys: [Int: Int] = [:]
  private var links: [(from: Int, to: Int)] = []
  private var names: [Int: String] = [:]
  private let number = ColumnID(classID: 1, propertyID: 1)
  private let name = ColumnID(classID: 1, propertyID: 2)
  private let key = ColumnID(classID: 1, propertyID: 3)
  private let link = ColumnID(classID: 1, propertyID: 4)
  private let list = ColumnID(classID: 1, propertyID: 5)
  private let ratio = ColumnID(classID: 1, propertyID: 6)

  mutating func change(
    _ write: borrowing WriteTransaction, _ random: inout SplitMix64
  ) throws {
    let isLarge = random.oneIn(20)
    for _ in 0..<(isLarge ? 300 : 1 + random.below(4)) { try step(write, &random) }
    if random.chance(80) {
      let entry = (0..<20 + random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // With one, a write that shares a transaction removes the entry of the one before it.
      write.setLogEntry(entry, LogLimits(entries: random.oneIn(8) ? 1 : 20))
    }
  }

  private mutating func step(
    _ write: borrowing WriteTransaction, _ random: inout SplitMix64
  ) throws {
    guard let object = objects.randomElement(using: &random) else {
      return objects.append(try write.create(1))
    }
    switch random.below(10) {
    case 0: objects.append(try write.create(1))
    case 1: try write.setInteger(number, object, random.chance(20) ? nil : random.below(1 << 40))
    case 2: try write.setDouble(ratio, object, Double(random.below(100)) / 3)
    case 3: try setName(write, object, &random)
    case 4: try setKey(write, object, random.below(random.oneIn(2) ? 3 : 1000))
    case 5:
      let target = objects[random.below(objects.count)]
      try write.addLink(from: object, through: link, toClass: 1, number: target)
      links.append((object, target))
    case 6:
      guard let removed = links.popLast() else { return }
      try write.removeLink(from: removed.from, through: link, toClass: 1, number: removed.to)
    case 7:
      let list = ListID(column: list, owner: object)
      let count = write.snapshot.listCount(list)
      if count > 0, random.chance(30) {
        try write.remove(from: list, at: random.below(count))
      } else {
        try write.insert(
          .integer(random.below(1 << 20)), into: list, .integers, at: random.below(count + 1))
      }
    case 8:
      try write.setMetadata(
        "settings", (0..<random.below(600)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    default: try write.setInteger(number, object, random.below(300))
    }
  }

  private mutating func setName(
    _ write: borrowing WriteTransaction, _ object: Int, _ random: inout SplitMix64
  ) throws {
    let length = random.oneIn(6) ? 1000 + random.below(9000) : random.below(40)
    let text = (0..<length).map { _ in UInt8(97 + random.below(26)) }
    if names[object] != nil {
      let old = write.snapshot.withBytes(name, object) { $0.map { [UInt8]($0) } ?? [] }
      try write.removeFromIndex(name, .bytes(Array(old.prefix(200))), object)
    }
    try text.withUnsafeBytes { try write.setBytes(name, object, $0) }
    try write.addToIndex(name, .bytes(Array(text.prefix(200))), object)
    names[object] = ""
  }

  private mutating func setKey(
    _ write: borrowing WriteTransaction, _ object: Int, _ value: Int
  ) throws {
    if let old = keys[object] { try write.removeFromIndex(key, .integer(old), object) }
    try write.setInteger(key, object, value)
    try write.addToIndex(key, .integer(value), object)
    keys[object] = value
  }
}
