public import FoundationEssentials
import HeraldModel
import HeraldQuery

/// The values of one property for a block of objects, some of which are rows.
public struct ColumnBlock {
  let values: ColumnValues
  let rows: BlockMask

  var nulls: BlockMask {
    switch values {
    case .integers(_, let nulls), .doubles(_, let nulls), .dates(_, let nulls),
      .strings(_, let nulls), .data(_, let nulls):
      nulls
    }
  }
}

/// A type of values that are read block by block.
public protocol ColumnElement: PersistableElement {
  /// Appends the values of the rows. Nil where the type is not optional, and values of another type, are skipped.
  static func _append(_ block: ColumnBlock, to values: inout [Self])
}

extension Int: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [Int]) {
    guard case .integers(let column, let nulls) = block.values else { return }
    let rows = block.rows & ~nulls
    if rows == .everything { return values.append(contentsOf: column) }
    column.withUnsafeBufferPointer { column in
      for bit in BlockBits(rows) { values.append(column[bit]) }
    }
  }
}

extension Bool: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [Bool]) {
    guard case .integers(let column, let nulls) = block.values else { return }
    for bit in BlockBits(block.rows & ~nulls) { values.append(column[bit] != 0) }
  }
}

extension Double: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [Double]) {
    guard case .doubles(let column, let nulls) = block.values else { return }
    let rows = block.rows & ~nulls
    if rows == .everything { return values.append(contentsOf: column) }
    column.withUnsafeBufferPointer { column in
      for bit in BlockBits(rows) { values.append(column[bit]) }
    }
  }
}

extension Float: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [Float]) {
    guard case .doubles(let column, let nulls) = block.values else { return }
    for bit in BlockBits(block.rows & ~nulls) { values.append(Float(column[bit])) }
  }
}

extension String: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [String]) {
    guard case .strings(let column, let nulls) = block.values else { return }
    for bit in BlockBits(block.rows & ~nulls) { values.append(column[bit]) }
  }
}

extension Date: ColumnElement {
  public static func _append(_ block: ColumnBlock, to values: inout [Date]) {
    guard case .dates(let column, let nulls) = block.values else { return }
    for bit in BlockBits(block.rows & ~nulls) { values.append(Date(column[bit])) }
  }
}

extension Optional: ColumnElement where Wrapped: ColumnElement {
  @_specialize(where Wrapped == Int)
  @_specialize(where Wrapped == Double)
  @_specialize(where Wrapped == String)
  @_specialize(where Wrapped == Date)
  public static func _append(_ block: ColumnBlock, to values: inout [Wrapped?]) {
    var present: [Wrapped] = []
    Wrapped._append(block, to: &present)
    let nulls = block.nulls
    var next = 0
    for bit in BlockBits(block.rows) {
      if nulls.contains(bit) {
        values.append(nil)
      } else if next < present.count {
        values.append(present[next])
        next += 1
      }
    }
  }
}
