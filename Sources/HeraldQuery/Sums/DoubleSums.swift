import HeraldModel

/// The exact sums of doubles of many groups, as `ExactDoubleSum` has them, in one array.
struct DoubleSums {
  /// The digits of one group after the other.
  private var digits: [Int64] = []
  private var unusual: [Int: UnusualNumbers] = [:]
  /// No group has more additions since its last carry.
  private var additions = 0

  /// Makes room for so many groups.
  mutating func reserve(_ count: Int) {
    let missing = count * ExactDoubleSum.digitCount - digits.count
    if missing > 0 { digits += repeatElement(0, count: missing) }
  }

  /// Adds some rows' values to the sums of their groups.
  mutating func add(
    _ values: UnsafeMutablePointer<Double>, _ rows: BlockMask,
    _ groups: UnsafeMutablePointer<UInt32>
  ) {
    var unusualRows = BlockMask.zero
    digits.withUnsafeMutableBufferPointer { digits in
      guard let base = digits.baseAddress else { return }
      rows.forEachBit { row in
        let value = values[row]
        if value.isFinite {
          ExactDoubleSum.add(value, 1, to: base + Int(groups[row]) &* ExactDoubleSum.digitCount)
        } else {
          unusualRows.insert(row)
        }
      }
    }
    for row in BlockBits(unusualRows) {
      unusual[Int(groups[row]), default: UnusualNumbers()].change(values[row], by: 1)
    }
    additions += blockSize
    if additions >= ExactDoubleSum.additionsBetweenCarries { carry() }
  }

  private mutating func carry() {
    additions = 0
    digits.withUnsafeMutableBufferPointer { digits in
      guard let base = digits.baseAddress else { return }
      for start in stride(from: 0, to: digits.count, by: ExactDoubleSum.digitCount) {
        ExactDoubleSum.carry(base + start)
      }
    }
  }

  /// Adds other sums: that of the group `index` there to that of `groups[index]` here.
  mutating func add(_ other: DoubleSums, _ groups: [(there: Int, here: Int)]) {
    let count = ExactDoubleSum.digitCount
    for (there, here) in groups {
      for digit in 0..<count {
        digits[here * count + digit] += other.digits[there * count + digit]
      }
      guard let counts = other.unusual[there] else { continue }
      unusual[here, default: UnusualNumbers()].add(counts)
    }
    // Its digits are at most as large as those of an addition more.
    additions += other.additions + 1
    if additions >= ExactDoubleSum.additionsBetweenCarries { carry() }
  }

  /// The sum of a group.
  subscript(group: Int) -> ExactDoubleSum {
    let unusual = unusual[group] ?? UnusualNumbers()
    return digits.withUnsafeBufferPointer { digits in
      guard let base = digits.baseAddress else { return ExactDoubleSum() }
      return ExactDoubleSum(digits: base + group * ExactDoubleSum.digitCount, unusual)
    }
  }
}
