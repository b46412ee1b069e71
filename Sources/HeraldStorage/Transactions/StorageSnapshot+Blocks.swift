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

  /// Calls `body` with a block of numbers, which is valid until it returns.
  package func withNumbers(
    _ column: ColumnID, _ kind: ColumnKind, block: Int, _ body: (StoredBlock) -> Void
  ) {
    withFlat(column, block) { flat in
      guard let flat else { return body(.nothing) }
      precondition(flat.kindByte == kind.rawValue, "a column read as the wrong kind")
      guard let stored = flat.stored(kind) else { preconditionFailure("a column without numbers") }
      body(stored)
    }
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
