import HeraldModel

/// Numbers the values of a key's column; nil has the number 0.
struct KeyNumbers {
  enum Kind: Sendable {
    case bools, integers, texts, dates

    /// Returns nil for a type whose values are not grouped by columns.
    init?(_ element: ElementType?) {
      switch element {
      case .bool: self = .bools
      case .int: self = .integers
      case .string: self = .texts
      case .date: self = .dates
      case .float, .double, .data, .decimal, .uuid, .objectID, .any, .link, nil: return nil
      }
    }
  }

  private let kind: Kind
  private let integers: IntegerNumbers
  private let texts = ByteNumbers()
  private var dates: [Timestamp: Int] = [:]
  private var datesByNumber: [Timestamp] = []

  /// - Parameter window: The integers that are numbered by their distance from the first.
  init(_ kind: Kind, _ window: IntegerNumbers.Window) {
    self.kind = kind
    integers = IntegerNumbers(window)
  }

  /// One more than the largest number.
  var count: Int {
    switch kind {
    case .bools, .integers: integers.count + 1
    case .texts: texts.count + 1
    case .dates: datesByNumber.count + 1
    }
  }

  /// One more than the largest number that `number` writes so far, even if a block's zone is wrong.
  var capacity: Int { max(count, integers.window.capacity) }

  /// Writes the numbers of some rows' values; those of other rows are undefined.
  mutating func number(
    _ column: BlockColumn, _ rows: BlockMask, into numbers: UnsafeMutablePointer<UInt32>,
    _ room: BlockRoom
  ) {
    let nulls = column.nulls
    let found = rows & ~nulls
    switch column.content {
    case .stored(let block):
      if kind == .texts {
        for bit in BlockBits(found) {
          numbers[bit] = UInt32(truncatingIfNeeded: texts.number(of: block.bytes(bit)) + 1)
        }
      } else if block.smallest > block.largest {
        numbers.update(repeating: 0, count: blockSize)
      } else if integers.window.contains(block.smallest, block.largest) {
        let window = integers.window
        block.copyIntegers(
          from: window.first &- 1, mask: UInt32(window.capacity - 1), into: numbers)
      } else {
        numberIntegers(column, found, into: numbers, room)
      }
    case .values(.integers): numberIntegers(column, found, into: numbers, room)
    case .values(.strings(let values, _)):
      for bit in BlockBits(found) {
        var value = values[bit]
        let number = value.withUTF8 { texts.number(of: UnsafeRawBufferPointer($0)) }
        numbers[bit] = UInt32(truncatingIfNeeded: number + 1)
      }
    case .values(.dates(let values, _)):
      for bit in BlockBits(found) { numbers[bit] = number(of: values[bit]) }
    case .values(.doubles), .values(.data): numbers.update(repeating: 0, count: blockSize)
    }
    for bit in BlockBits(rows & nulls) { numbers[bit] = 0 }
  }

  private func numberIntegers(
    _ column: BlockColumn, _ rows: BlockMask, into numbers: UnsafeMutablePointer<UInt32>,
    _ room: BlockRoom
  ) {
    column.copyIntegers(into: room.integers)
    let (integers, values) = (integers, room.integers)
    rows.forEachBit { row in
      numbers[row] = UInt32(truncatingIfNeeded: integers.number(of: values[row]) + 1)
    }
  }

  private mutating func number(of date: Timestamp) -> UInt32 {
    if let known = dates[date] { return UInt32(truncatingIfNeeded: known) }
    datesByNumber.append(date)
    dates[date] = datesByNumber.count
    return UInt32(truncatingIfNeeded: datesByNumber.count)
  }

  func value(_ number: Int) -> Value {
    if number == 0 { return .null }
    return switch kind {
    case .bools: .bool(integers[number - 1] != 0)
    case .integers: .int(integers[number - 1])
    case .texts: .string(texts.withBytes(number - 1) { String(decoding: $0, as: UTF8.self) })
    case .dates: .date(datesByNumber[number - 1])
    }
  }

  /// Returns the numbers that the values of others, by their numbers, have here.
  mutating func numbers(of other: KeyNumbers) -> [Int] {
    (0..<other.count).map { number in
      if number == 0 { return 0 }
      return switch kind {
      case .bools, .integers: integers.number(of: other.integers[number - 1]) + 1
      case .texts: other.texts.withBytes(number - 1) { texts.number(of: $0) } + 1
      case .dates: Int(self.number(of: other.datesByNumber[number - 1]))
      }
    }
  }
}
