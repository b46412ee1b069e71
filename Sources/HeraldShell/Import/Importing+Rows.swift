import Herald

/// A column of a file that becomes a property.
struct RowColumn {
  let name: String
  let property: PropertySchema
  let form: FieldForm
}

extension Importing {
  /// After how many values the rest of a file is read on another thread.
  private static let valuesAlone = 1 << 18

  /// Adds the rows that `reader` reads, those of a long file read on a thread of their own, ahead of those that are added.
  /// `addOthers` adds the records that have to be added alone; it returns false if none is left.
  mutating func addRows<Reader: RowSource>(
    _ reader: inout Reader, _ columns: [RowColumn], _ insertion: RowInsertion?,
    _ progress: (Int, Double) throws -> Void,
    _ addOthers: (inout Importing, inout Reader) throws -> Bool
  ) throws {
    let rows = PlainRows(columnCount: columns.count)
    var pause = Self.valuesAlone / max(1, columns.count) + 1
    var readsAhead = SystemThread.isUseful ? reader.count + pause : .max
    while true {
      if reader.count >= readsAhead {
        let rest = try RowsAhead.run(reader) { try add($0, columns, insertion, progress) }
        if let rest {
          reader = rest.reader
          switch rest.ending {
          case .endOfFile, .cancelled: return
          case .failure(let failure): throw failure
          case .other: if try !addOthers(&self, &reader) { return }
          }
        }
        // In a file with many such records, starting a thread for each would take longer.
        pause *= 2
        readsAhead = reader.count + pause
      }
      let stop = reader.fill(rows)
      try add(rows, columns, insertion, progress)
      rows.removeAll()
      switch stop {
      case .full: break
      case .window: if try !reader.next() { return }
      case .other: if try !addOthers(&self, &reader) { return }
      case .failure(let failure): throw failure
      }
    }
  }

  /// The number of rows that are added at once.
  private static let rowsAtOnce = 256

  /// Adds the objects of rows.
  private mutating func add(
    _ rows: PlainRows, _ columns: [RowColumn], _ insertion: RowInsertion?,
    _ progress: (Int, Double) throws -> Void
  ) throws {
    var next = 0
    while next < rows.count {
      let some = next..<min(rows.count, next + Self.rowsAtOnce)
      if let insertion, insertion.addsRows {
        try add(rows, some, columns, insertion)
      } else {
        for row in some { try add(rows, row, columns, insertion) }
      }
      next = some.upperBound
      let before = count
      count += some.count
      if before / Self.recordsBetween < count / Self.recordsBetween {
        try progress(count / Self.recordsBetween * Self.recordsBetween, rows.progress)
      }
    }
  }

  /// Adds some of the rows together.
  @inline(__always)
  private mutating func add(
    _ rows: PlainRows, _ some: Range<Int>, _ columns: [RowColumn], _ insertion: RowInsertion
  ) throws {
    do {
      if let numbers = try insertion.add(rows: rows.values(some)) {
        added?.note(classSchema.id, numbers)
      } else {
        for row in some { try add(rows, row, columns, nil) }
      }
    } catch let error as HeraldError {
      throw failure(error.message, at: rows.position(some.upperBound - 1))
    }
  }

  /// Adds one of the rows.
  @inline(__always)
  private mutating func add(
    _ rows: PlainRows, _ row: Int, _ columns: [RowColumn], _ insertion: RowInsertion?
  ) throws {
    let values = rows.values(row..<row + 1)
    do {
      if let number = try insertion?.add(values) {
        added?.note(classSchema.id, number..<number + 1)
        return
      }
      _ = try add(zip(columns, values).map { NamedContent($0.property.name, .value($1.value)) })
    } catch let error as HeraldError {
      throw failure(error.message, at: rows.position(row))
    } catch let mismatch as ImportValue.Mismatch {
      throw failure(mismatch.reason, at: rows.position(row))
    }
  }
}
