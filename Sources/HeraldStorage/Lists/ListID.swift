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
