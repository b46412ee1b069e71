package import Herald

/// The operations that a collection property and a nested collection have in common.
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
