import HeraldModel

/// The values of one sort key for every row, as ranks.
struct SortColumn {
  /// 64 bits that order as the values do; anything where the value is nil.
  private(set) var ranks: [UInt64]
  /// Which rows have no value; nil where all have one.
  private(set) var isNull: [Bool]?
  private var rest: Rest = .none

  /// What the ranks leave out.
  private enum Rest {
    case none
    case strings([String])
    case values([Value])
  }

  /// Whether equal ranks mean equal values.
  var isExact: Bool {
    if case .none = rest { true } else { false }
  }

  /// The order of two rows' values, neither of them nil, whose ranks are equal.
  func order(_ a: Int, _ b: Int) -> Int {
    switch rest {
    case .none: 0
    case .strings(let strings): strings[a].byteOrder(strings[b])
    case .values(let values): Value.order(values[a], values[b])
    }
  }

  init(_ path: PropertyPath, _ rows: [ObjectNumber], _ reader: any ObjectReader) {
    ranks = []
    ranks.reserveCapacity(rows.count)
    let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
    if path.steps.count == 1, case .property(let property) = path.steps[0].kind, isAscending {
      readBlocks(property, of: path.root, rows, reader)
    } else {
      readRows(path, rows, reader)
    }
  }

  /// Reads whole blocks, for rows in the order of creation.
  private mutating func readBlocks(
    _ property: PropertyID, of classID: ClassID, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    var start = 0
    while start < rows.count {
      let block = rows[start] / blockSize
      var end = start + 1
      while end < rows.count, rows[end] / blockSize == block { end += 1 }
      let bits = rows[start..<end].lazy.map { $0 % blockSize }
      switch reader.column(property, of: classID, block: block) {
      case .integers(let values, let nulls):
        for bit in bits { ranks.append(values[bit].sortRank) }
        note(nulls, bits)
      case .doubles(let values, let nulls):
        for bit in bits { ranks.append(values[bit].sortRank) }
        note(nulls, bits)
      case .dates(let values, let nulls):
        for bit in bits { ranks.append(values[bit].seconds.sortRank) }
        keep(bits.map { .date(values[$0]) })
        note(nulls, bits)
      case .strings(let values, let nulls):
        for bit in bits { ranks.append(values[bit].sortRank) }
        keep(bits.map { values[$0] })
        note(nulls, bits)
      case .data(let values, let nulls):
        for bit in bits { ranks.append(values[bit].sortRank) }
        keep(bits.map { .data(values[$0]) })
        note(nulls, bits)
      }
      start = end
    }
  }

  /// Reads object by object.
  private mutating func readRows(
    _ path: PropertyPath, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    for (row, number) in rows.enumerated() {
      let value = value(at: path, of: number, reader)
      switch value {
      case .null:
        ranks.append(0)
        noteNull(row, count: rows.count)
      case .bool(let value): ranks.append((value ? 1 : 0).sortRank)
      case .int(let value): ranks.append(value.sortRank)
      case .float(let value): ranks.append(Double(value).sortRank)
      case .double(let value): ranks.append(value.sortRank)
      case .link(let object): ranks.append(object.number.sortRank)
      case .date(let date): ranks.append(date.seconds.sortRank)
      case .string(let text): ranks.append(text.sortRank)
      case .data(let bytes): ranks.append(bytes.sortRank)
      }
      switch value {
      case .string(let text): keep(text, at: row)
      case .date, .data: keep(value, at: row)
      case .null, .bool, .int, .float, .double, .link: break
      }
    }
  }

  // MARK: Noting

  private mutating func note(_ nulls: BlockMask, _ bits: some Collection<Int>) {
    guard !nulls.isEmpty || isNull != nil else { return }
    let before = ranks.count - bits.count
    var flags = isNull ?? [Bool](repeating: false, count: before)
    for bit in bits { flags.append(nulls.contains(bit)) }
    isNull = flags
  }

  private mutating func noteNull(_ row: Int, count: Int) {
    if isNull == nil { isNull = [Bool](repeating: false, count: count) }
    isNull?[row] = true
  }

  private mutating func keep(_ strings: [String]) {
    if case .strings(var all) = rest {
      rest = .none
      all += strings
      rest = .strings(all)
    } else {
      rest = .strings(strings)
    }
  }

  private mutating func keep(_ values: [Value]) {
    if case .values(var all) = rest {
      rest = .none
      all += values
      rest = .values(all)
    } else {
      rest = .values(values)
    }
  }

  private mutating func keep(_ text: String, at row: Int) {
    var all: [String] = []
    if case .strings(let kept) = rest { all = kept }
    rest = .none
    while all.count < row { all.append("") }
    all.append(text)
    rest = .strings(all)
  }

  private mutating func keep(_ value: Value, at row: Int) {
    var all: [Value] = []
    if case .values(let kept) = rest { all = kept }
    rest = .none
    while all.count < row { all.append(.null) }
    all.append(value)
    rest = .values(all)
  }
}

extension Int {
  fileprivate var sortRank: UInt64 { UInt64(bitPattern: Int64(self)) ^ 1 << 63 }
}

extension Double {
  /// NaN first; both zeros have one rank.
  fileprivate var sortRank: UInt64 {
    if isNaN { return 0 }
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

extension Sequence<UInt8> {
  /// The first eight bytes, the first one deciding.
  fileprivate var firstEight: UInt64 {
    var rank: UInt64 = 0
    var shift: UInt64 = 64
    for byte in self {
      shift -= 8
      rank |= UInt64(byte) << shift
      if shift == 0 { break }
    }
    return rank
  }
}

extension String {
  fileprivate var sortRank: UInt64 { utf8.firstEight }
}

extension [UInt8] {
  fileprivate var sortRank: UInt64 { firstEight }
}
