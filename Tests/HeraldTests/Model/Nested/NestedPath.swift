import Herald
import OtherProcess

@testable import TestModel

// What is done at a position is done to the library and to its model.

extension NestedPath {
  /// Whether it is a collection of the schema.
  private var isProperty: Bool { path.isEmpty && property != "a" }

  private func rows(of box: DynamicObject) throws -> LiveCollection {
    isProperty ? try box.collection(property) : try box.nested(property, path)
  }

  /// `body` is given the change, and the rows as one value.
  func observe(
    _ box: DynamicObject, keyPaths: [String]? = nil,
    _ body: @escaping (DynamicCollectionChange, Value?) throws -> Void
  ) throws -> ObservationToken {
    try rows(of: box).observe(keyPaths: keyPaths) { rows, change in try body(change, rows.value) }
  }

  func insert(
    _ values: [Value], at row: Int, _ box: DynamicObject, _ model: inout NestedModel
  ) throws {
    try rows(of: box).insert(values, at: row)
    model.insert(values, at: row, property, path)
  }

  func remove(at row: Int, _ box: DynamicObject, _ model: inout NestedModel) throws {
    try rows(of: box).remove(at: row)
    model.remove(at: row, property, path)
  }

  func move(from: Int, to: Int, _ box: DynamicObject, _ model: inout NestedModel) throws {
    try rows(of: box).move(from: from, to: to)
    model.move(from: from, to: to, property, path)
  }

  func replace(
    at row: Int, with value: Value, _ box: DynamicObject, _ model: inout NestedModel
  ) throws {
    try rows(of: box).replace(at: row, with: value)
    model.replace(at: row, with: value, property, path)
  }

  func set(_ key: String, to value: Value, _ box: DynamicObject, _ model: inout NestedModel) throws
  {
    try rows(of: box).set(key, to: value)
    model.set(key, to: value, property, path)
  }

  func remove(_ key: String, _ box: DynamicObject, _ model: inout NestedModel) throws {
    try rows(of: box).removeKey(key)
    model.removeKey(key, property, path)
  }

  func removeAll(_ box: DynamicObject, _ model: inout NestedModel) throws {
    try rows(of: box).removeAll()
    model.removeAll(property, path)
  }
}
