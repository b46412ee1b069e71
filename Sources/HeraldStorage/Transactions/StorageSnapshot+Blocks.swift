internal import CLMDB

extension StorageSnapshot {
  /// Where the values of one block are to be found.
  enum Place {
    /// Nowhere: all are nil.
    case absent
    case flat(FlatBlock)
    case draft(BlockDraft)
  }

  @inline(__always)
  func place(_ column: ColumnID, _ block: Int) -> Place {
    if let entry = cache.find(column.packed, block) {
      guard let base = entry.pointee.base else { return .absent }
      return .flat(FlatBlock(base: base, length: entry.pointee.length))
    }
    return search(column, block)
  }

  @inline(never)
  private func search(_ column: ColumnID, _ block: Int) -> Place {
    guard block >= 0, block < Int(UInt32.max) else { return .absent }
    if let pending {
      if let draft = pending.draft(column, block) { return .draft(draft) }
      if let patch = pending.patch(column, block) { return .flat(patch) }
    }
    guard let bytes = self.block(column, block) else {
      // What is damaged is found again by whoever reads it again.
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

  /// One value, of a stored block or of a draft; nil when it is nil.
  @inline(__always)
  private func read<Value>(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, flat: (FlatBlock, Int) -> Value,
    draft: (BlockDraft, Int) -> Value
  ) -> Value? {
    let row = number & 255
    switch place(column, number >> 8) {
    case .absent: return nil
    case .flat(let block):
      if block.isNull(row) { return nil }
      precondition(block.kindByte == kind.rawValue, "a column read as what it is not")
      return flat(block, row)
    case .draft(let block):
      if block.isNull(row) { return nil }
      precondition(block.kind == kind, "a column read as what it is not")
      return draft(block, row)
    }
  }

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

  package func date(_ column: ColumnID, _ number: Int) -> (seconds: Int, nanoseconds: Int32)? {
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

  /// A value that has a record of its own.
  func large(_ column: ColumnID, _ block: Int, _ row: Int) -> UnsafeRawBufferPointer? {
    let found = get(.columns, .largeValue(column, block, row: row))
    if found == nil { note(damaged("a large value is missing")) }
    return found
  }

  package func value(_ column: ColumnID, _ kind: ColumnKind, _ number: Int) -> StoredValue {
    switch kind {
    case .integers: return integer(column, number).map(StoredValue.integer) ?? .null
    case .doubles: return double(column, number).map(StoredValue.double) ?? .null
    case .floats: return float(column, number).map(StoredValue.float) ?? .null
    case .dates:
      return date(column, number).map { .date(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }
        ?? .null
    case .bytes: return withBytes(column, number) { $0.map { .bytes([UInt8]($0)) } ?? .null }
    }
  }

  /// Lends a block in its stored form, nil when all its values are nil.
  @inline(__always)
  private func withFlat<Result>(
    _ column: ColumnID, _ block: Int, _ body: (FlatBlock?) throws -> Result
  ) rethrows -> Result {
    switch place(column, block) {
    case .absent: try body(nil)
    case .flat(let flat): try body(flat)
    case .draft(let draft): try draft.withFlatForm { try body($0) }
    }
  }

  package func select(
    _ test: ColumnTest, _ column: ColumnID, block: Int, within: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    if within == .zero { return .zero }
    return withFlat(column, block) { flat in
      guard let flat else { return FlatBlock.selectAllNull(test, within: within) }
      precondition(flat.answers(test), "a column tested as what it is not")
      return flat.select(test, within: within) { self.large(column, block, $0) }
    }
  }

  func isDecided(_ test: ColumnTest, _ column: ColumnID, block: Int) -> Bool {
    withFlat(column, block) { flat in flat.map { $0.verdict(test) != nil } ?? true }
  }

  /// The zone's words; nil where the block has another kind of values.
  func zone(
    _ column: ColumnID, _ kind: ColumnKind?, block: Int
  ) -> (least: Int, greatest: Int)? {
    withFlat(column, block) { flat in
      guard let flat else { return Self.emptyZone(kind) }
      guard kind == nil || flat.kind == kind else { return nil }
      return (flat.leastWord, flat.greatestWord)
    }
  }

  private static func emptyZone(_ kind: ColumnKind?) -> (least: Int, greatest: Int) {
    kind == .integers ? (1, 0) : (Int(bitPattern: UInt(Double(1).bitPattern)), 0)
  }

  package func readIntegers(
    _ column: ColumnID, block: Int, into values: inout [Int]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: 0)
      guard let flat else { return Self.allNull }
      precondition(flat.kindByte == ColumnKind.integers.rawValue, "a column of no integers")
      values.withUnsafeMutableBufferPointer { flat.widen(into: $0) }
      return flat.nils
    }
  }

  package func readDoubles(
    _ column: ColumnID, block: Int, into values: inout [Double]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: 0)
      guard let flat else { return Self.allNull }
      switch flat.kind {
      case .doubles: for row in 0..<256 { values[row] = flat.double(row) }
      case .floats: for row in 0..<256 { values[row] = Double(flat.float(row)) }
      case .integers, .dates, .bytes, nil: preconditionFailure("a column of no numbers")
      }
      return flat.nils
    }
  }

  package func readDates(
    _ column: ColumnID, block: Int, into values: inout [(Int, Int32)]
  ) -> SIMD4<UInt64> {
    withFlat(column, block) { flat in
      FlatBlock.prepare(&values, with: (0, 0))
      guard let flat else { return Self.allNull }
      precondition(flat.kindByte == ColumnKind.dates.rawValue, "a column of no dates")
      for row in 0..<256 { values[row] = flat.date(row) }
      return flat.nils
    }
  }

  package func forEachBytes(
    _ column: ColumnID, block: Int, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) rethrows {
    try withFlat(column, block) { flat in
      guard let flat else {
        for row in 0..<256 { try body(row, nil) }
        return
      }
      precondition(flat.kindByte == ColumnKind.bytes.rawValue, "a column of no bytes")
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
  /// Makes room for the 256 values of a block.
  static func prepare<Value>(_ values: inout [Value], with zero: Value) {
    if values.count != 256 { values = [Value](repeating: zero, count: 256) }
  }

  /// Every integer, one word wide; nil ones are 0.
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

  /// Whether a test is one for this kind of values.
  func answers(_ test: ColumnTest) -> Bool {
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
