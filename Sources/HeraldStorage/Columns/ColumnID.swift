/// The column of a class in which one property's values are kept, block by block.
///
/// Property 0 of a class is its presence column, which records the object numbers in use; the
/// properties themselves are numbered from 1.
package struct ColumnID: Hashable, Sendable {
  package let classID: UInt32
  package let propertyID: UInt32

  package init(classID: UInt32, propertyID: UInt32) {
    self.classID = classID
    self.propertyID = propertyID
  }

  /// Both numbers in one word, in the order of the store's keys.
  @inline(__always) var packed: UInt64 { UInt64(classID) << 32 | UInt64(propertyID) }
}

/// The identity of a list: the list property and the number of the object that owns the list.
package struct ListID: Hashable, Sendable {
  package let column: ColumnID
  package let owner: Int

  package init(column: ColumnID, owner: Int) {
    self.column = column
    self.owner = owner
  }
}

extension ListID: CustomStringConvertible {
  package var description: String {
    "column \(column.classID).\(column.propertyID), object \(owner)"
  }
}

/// The form of a column's or a list's values.
///
/// Booleans, integers and links are all `integers`: a link is the number of its target.
package enum ColumnKind: UInt8, Sendable, CaseIterable {
  case integers, doubles, floats, dates, bytes
}
