package import Herald

/// What is done alike to a collection of the schema and to one inside a value.
package protocol ChangeableRows {
  func insert(_ values: [Value], at index: Int) throws
  func remove(at index: Int) throws
  func move(from: Int, to: Int) throws
  func replace(at index: Int, with value: Value) throws
  func set(_ key: String, to value: Value) throws
  func removeKey(_ key: String) throws
  func removeAll() throws
}

extension LiveCollection: ChangeableRows {}
extension NestedCollection: ChangeableRows {}
