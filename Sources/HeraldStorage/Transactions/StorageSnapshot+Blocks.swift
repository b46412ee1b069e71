internal import CLMDB
package import HeraldModel

extension StorageSnapshot {
  /// The form in which the values of one block are available.
  enum BlockSource {
    /// No record: all values are nil.
    case absent
    case flat(FlatBlock)
    case draft(BlockDraft)
  }

  @inline(__always)
  func source(_ column: ColumnID, _ block: Int) -> BlockSource {
    if let entry = cache.find(column.packed, block) {
      guard let base = entry.pointee.base else { return .absent }
      return .flat(FlatBlock(base: base, length: entry.pointee.length))
    }
    return search(column, block)
  }

  @inline(never)
  private func search(_ column: ColumnID, _ block: Int) -> BlockSource {
    guard block >= 0, block < Int(UInt32.max) else { return .absent }
    if let pending {
      if let draft = pending.draft(column, block) { return .draft(draft) }
      if let patch = pending.patch(column, block) { return .flat(patch) }
    }
    guard let bytes = self.block(column, block) else {
      // A damaged block is not cached, so that each read of it fails.
      if !hasFailed { cache.remember(column.packed, block, nil) }
      return .absent
    }
    let flat = FlatBlock(bytes)
    guard flat.isReadable, flat.count == 256 else {
      note(damaged("block \(block) of column \(column.classID).\(column.propertyID)"))
      return .absent
    }
    cache.remember(column.packed, block, bytes)
    return .flat(flat)
  }

  /// Returns one value, of a stored block or of a draft; nil if the value is nil.
  @inline(__always)
  private func read<Value>(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, flat: (FlatBlock, Int) -> Value,
    draft: (BlockDraft, Int) -> Value
  ) -> Value? {
    let row = number & 255
    switch source(column, number >> 8) {
    case .absent: return nil
    case .flat(let block):
      if block.isNull(row) { return nil }
      precondition(block.kindByte == kind.rawValue, "a column read as the wrong kind")
      return flat(block, row)
    case .draft(let block):
      if block.isNull(row) { return nil }
      precondition(block.kind == kind, "a column read as the wrong kind")
      return draft(block, row)
    }
  }

  /// Returns one value; some ten nanoseconds if its block was read recently, else a search in the tree.
  package func integer(_ column: ColumnID, _ number: Int) -> Int? {
    read(column, .integers, number) {
      $0.integer($1)
    } draft: {
      $0.words.values[$1]
    }
  }

  package func double(_ column: ColumnID, _ number: Int) -> Double? {
    read(column, .doubles, number) {
      $0.double($1)
    } draft: {
      Double(bitPattern: UInt64(UInt(bitPattern: $0.words.values[$1])))
    }
  }

  package func float(_ column: ColumnID, _ number: Int) -> Float? {
    read(column, .floats, number) {
      $0.float($1)
    } draft: {
      Float(bitPattern: UInt32($0.words.values[$1]))
    }
  }

  package func date(_ column: ColumnID, _ number: Int) -> Timestamp? {
    read(column, .dates, number) {
      $0.date($1)
    } draft: {
      $0.date($1)
    }
  }

  package func withBytes<Result>(
    _ column: ColumnID, _ number: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let row = number & 255
    let found = read(column, .bytes, number) {
      $0.isLarge($1) ? nil : $0.bytes($1)
    } draft: {
      $0.isLarge($1) ? nil : $0.bytes($1)
    }
    switch found {
    case nil: return try body(nil)
    case .some(let bytes?): return try body(bytes)
    case .some(nil): return try body(large(column, number >> 8, row))
    }
  }

  /// Returns a value that has a record of its own.
  func large(_ column: ColumnID, _ block: Int, _ row: Int) -> UnsafeRawBufferPointer? {
    let found = get(.columns, .largeValue(column, block, row: row))
    if found == nil { note(damaged("a large value is missing")) }
    return found
  }

  /// Calls `body` with a block in its stored form, nil if all its values are nil.
  @inline(__always)
  private func withFlat<Result>(
    _ column: ColumnID, _ block: Int, _ body: (FlatBlock?) throws -> Result
  ) rethrows -> Result {
    switch source(column, block) {
    case .absent: try body(nil)
    case .flat(let flat): try body(flat)
    case .draft(let draft): try draft.withFlatForm { try body($0) }
    }
  }

  /// Returns the rows among `within` that match the test; some hundred nanoseconds per block.
  ///
  /// Rows without an object are nil to the test: mask the result with the presence.
  package func select(
    _ test: ColumnTest, _ column: ColumnID, block: Int, within: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    if within == .zero { return .zero }
    return withFlat(column, block) { flat in
      guard let flat else { return FlatBlock.selectAllNull(test, within: within) }
      precondition(flat.supports(test), "a column tested as the wrong kind")
      return flat.select(test, within: within) { self.large(column, block, $0) }
    }
  }

  /// Returns whether the zone of a block decides a test, so that no value has to be read.
  package func isDecided(_ test: ColumnTest, _ column: ColumnID, block: Int) -> Bool {
    withFlat(column, block) { flat in flat.map { $0.verdict(test) != nil } ?? true }
  }

  /// Returns the smallest and the largest number of a block; the smallest is above the largest if
  /// all values are nil.
  package func integerZone(_ column: ColumnID, block: Int) -> (smallest: Int, largest: Int)? {
    zone(column, .integers, block: block)
  }

  /// Like `integerZone`, for doubles and floats: both are NaN if any value is.
  package func numberZone(_ column: ColumnID, block: Int) -> (smallest: Double, largest: Double)? {
    zone(column, nil, block: block).map { smallest, largest in
      (
        Double(bitPattern: UInt64(UInt(bitPattern: smallest))),
        Double(bitPattern: UInt64(UInt(bitPattern: largest)))
      )
    }
  }

  /// Returns the zone's words; nil if the block holds another kind of values.
  func zone(
    _ column: ColumnID, _ kind: ColumnKind?, block: Int
  ) -> (smallest: Int, largest: Int)? {
    withFlat(column, block) { flat in
      guard let flat else { return Self.emptyZone(kind) }
      guard kind == nil || flat.kind == kind else { return nil }
      return (flat.smallestWord, flat.largestWord)
    }
  }

  private static func emptyZone(_ kind: ColumnKind?) -> (smallest: Int, largest: Int) {
    kind == .integers ? (1, 0) : (Int(bitPattern: UInt(Double(1).bitPattern)), 0)
  }

  /// Reads the 256 values of a block into `values`, resized to that count. Returns which of them
  /// are nil; their entries are meaningless.
  package func readIntegers(
    _ column: ColumnID, block: Int, into values: inout [Int]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: 0)
      guard let flat else { return Self.allNull }
      precondition(
        flat.kindByte == ColumnKind.integers.rawValue, "the column does not hold integers")
      values.withUnsafeMutableBufferPointer { flat.widen(into: $0) }
      return flat.nils
    }
  }

  /// Returns the sum of the integers among `rows` that are not nil, and their number.
  package func integerSum(
    _ column: ColumnID, block: Int, among rows: SIMD4<UInt64>
  ) -> (sum: Int128, count: Int) {
    withFlat(column, block) { flat in
      guard let flat else { return (0, 0) }
      precondition(
        flat.kindByte == ColumnKind.integers.rawValue, "the column does not hold integers")
      let nils = flat.nils
      let counted = rows & ~nils
      let count =
        counted[0].nonzeroBitCount + counted[1].nonzeroBitCount + counted[2].nonzeroBitCount
        + counted[3].nonzeroBitCount
      // Nil values are zeros.
      return (rows | nils == Self.allNull ? flat.sum : flat.sum(of: counted), count)
    }
  }

  /// Like `readIntegers`, for doubles, and for floats converted to doubles.
  package func readDoubles(
    _ column: ColumnID, block: Int, into values: inout [Double]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: 0)
      guard let flat else { return Self.allNull }
      switch flat.kind {
      case .doubles: values.withUnsafeMutableBufferPointer { flat.copyDoubles(into: $0) }
      case .floats: values.withUnsafeMutableBufferPointer { flat.widenFloats(into: $0) }
      case .integers, .dates, .bytes, nil:
        preconditionFailure("the column does not hold doubles or floats")
      }
      return flat.nils
    }
  }

  /// Like `readIntegers`, for dates.
  package func readDates(
    _ column: ColumnID, block: Int, into values: inout [Timestamp]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: Timestamp(seconds: 0))
      guard let flat else { return Self.allNull }
      precondition(flat.kindByte == ColumnKind.dates.rawValue, "the column does not hold dates")
      for row in 0..<256 { values[row] = flat.date(row) }
      return flat.nils
    }
  }

  /// Calls `body` with the bytes of each of the 256 rows of a block, nil for a nil value.
  package func forEachBytes(
    _ column: ColumnID, block: Int, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) rethrows {
    try withFlat(column, block) { flat in
      guard let flat else {
        for row in 0..<256 { try body(row, nil) }
        return
      }
      precondition(flat.kindByte == ColumnKind.bytes.rawValue, "the column does not hold bytes")
      for row in 0..<256 {
        if flat.isNull(row) {
          try body(row, nil)
        } else {
          try body(row, flat.isLarge(row) ? large(column, block, row) : flat.bytes(row))
        }
      }
    }
  }

  private static let allNull = SIMD4<UInt64>(repeating: .max)
}

extension FlatBlock {
  /// Resizes `values` to the 256 values of a block.
  static func prepare<Value>(_ values: inout [Value], with zero: Value) {
    if values.count != 256 { values = [Value](repeating: zero, count: 256) }
  }

  /// Writes every integer, one word wide; nil ones are 0.
  func widen(into values: UnsafeMutableBufferPointer<Int>) {
    let source = self.values
    switch width {
    case 1: Self.widen(source, as: Int8.self, into: values)
    case 2: Self.widen(source, as: Int16.self, into: values)
    case 4: Self.widen(source, as: Int32.self, into: values)
    case 8: Self.widen(source, as: Int64.self, into: values)
    default: values.update(repeating: 0)
    }
  }

  @inline(__always)
  private static func widen<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ source: UnsafeRawPointer, as: Stored.Type, into values: UnsafeMutableBufferPointer<Int>
  ) {
    for row in values.indices {
      values[row] = Int(
        source.loadUnaligned(fromByteOffset: row &* MemoryLayout<Stored>.size, as: Stored.self))
    }
  }

  /// The sum of every integer of a column's block.
  var sum: Int128 {
    let source = values
    switch width {
    case 1:
      var sum: Int32 = 0
      for row in 0..<256 { sum &+= Int32(source.load(fromByteOffset: row, as: Int8.self)) }
      return Int128(sum)
    case 2:
      var sum: Int32 = 0
      for row in 0..<256 {
        sum &+= Int32(source.loadUnaligned(fromByteOffset: row &* 2, as: Int16.self))
      }
      return Int128(sum)
    case 4:
      var sum = 0
      for row in 0..<256 {
        sum &+= Int(source.loadUnaligned(fromByteOffset: row &* 4, as: Int32.self))
      }
      return Int128(sum)
    case 8:
      var (high, low) = (0, 0)
      for row in 0..<256 {
        let value = source.loadUnaligned(fromByteOffset: row &* 8, as: Int.self)
        high &+= value >> 32
        low &+= value & 0xFFFF_FFFF
      }
      return Int128(high) << 32 + Int128(low)
    default: return 0
    }
  }

  /// The sum of some integers.
  func sum(of rows: SIMD4<UInt64>) -> Int128 {
    let (source, width) = (values, width)
    var (high, low) = (0, 0)
    for row in BlockBits(rows) {
      let value = Self.integer(source, width, row)
      high &+= value >> 32
      low &+= value & 0xFFFF_FFFF
    }
    return Int128(high) << 32 + Int128(low)
  }

  /// Writes every double; nil ones are 0.
  func copyDoubles(into values: UnsafeMutableBufferPointer<Double>) {
    guard width != 0 else { return values.update(repeating: 0) }
    UnsafeMutableRawBufferPointer(values).copyMemory(
      from: UnsafeRawBufferPointer(start: self.values, count: values.count &* 8))
  }

  /// Writes every float as a double; nil ones are 0.
  func widenFloats(into values: UnsafeMutableBufferPointer<Double>) {
    guard width != 0 else { return values.update(repeating: 0) }
    let source = self.values
    for row in values.indices {
      values[row] = Double(source.loadUnaligned(fromByteOffset: row &* 4, as: Float.self))
    }
  }

  /// Returns whether a test applies to this block's kind of values.
  func supports(_ test: ColumnTest) -> Bool {
    switch test {
    case .isNull: true
    case .integers, .integerSet, .numbers: kindByte == ColumnKind.integers.rawValue
    case .doubles:
      kindByte == ColumnKind.doubles.rawValue || kindByte == ColumnKind.floats.rawValue
    case .dates: kindByte == ColumnKind.dates.rawValue
    case .bytesEqual, .bytesPrefix, .bytesRange, .bytesSet, .bytes:
      kindByte == ColumnKind.bytes.rawValue
    }
  }
}
