package import HeraldModel

/// A list, a set or a map whose elements a program edits in place: a property of a stored or of a new object,
/// or a list or map nested in a value of any type.
///
/// Indices start at 0. The errors of every edit: `notACollection` if it is for another kind of collection,
/// `rowOutOfRange`, and `wrongType` or `missingValue` for values.
package protocol EditableCollection {
  /// The property that has the collection, or whose value contains it.
  var property: PropertySchema { get }
  /// The kind of the collection at present.
  var shape: PropertyShape { get }
  /// The elements in order; of a map its values in the order of its keys.
  var values: [Value] { get }
  /// The number of elements.
  var count: Int { get }

  /// Makes one edit.
  func apply(_ edit: CollectionEdit) throws
}

extension EditableCollection {
  /// Whether it has keys.
  package var isMap: Bool { shape == .map }

  /// Appends values to a list.
  package func append(_ values: [Value]) throws { try insert(values, at: count) }

  /// Inserts values into a list, the first at `index`, from 0 to `count`.
  package func insert(_ values: [Value], at index: Int) throws {
    try apply(.insert(values, at: index))
  }

  /// Removes an element of a list.
  package func remove(at index: Int) throws { try apply(.remove(at: index)) }

  /// Moves an element of a list; `to` is its index after the move.
  package func move(from: Int, to: Int) throws { try apply(.move(from: from, to: to)) }

  /// Replaces an element of a list.
  package func replace(at index: Int, with value: Value) throws {
    try apply(.replace(at: index, with: value))
  }

  /// Inserts a value into a set; no effect if it is present.
  package func insert(_ value: Value) throws { try apply(.insertValue(value)) }

  /// Removes a value from a set; no effect if it is absent.
  package func remove(_ value: Value) throws { try apply(.removeValue(value)) }

  /// Sets the value of a map's key, inserting the key if it is absent.
  package func set(_ key: String, to value: Value) throws { try apply(.setKey(key, value)) }

  /// Removes a key from a map; no effect if it is absent.
  package func removeKey(_ key: String) throws { try apply(.removeKey(key)) }

  /// Removes every element; no effect on an empty collection.
  package func removeAll() throws { try apply(.removeAll) }
}
