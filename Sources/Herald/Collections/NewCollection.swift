import HeraldEngine
public import HeraldModel
import HeraldObservation

/// A list, a set or a map of a new object, which is not in a store yet. Observers of the property receive
/// each change as for a stored object (observation 8.2, 8.4).
///
/// The errors of changes: `notACollection` if the operation is for another kind of collection,
/// `rowOutOfRange`, `wrongType`, `missingValue`, and the first error of an observer's block.
public struct NewCollection {
  let object: NewObject
  /// The collection property.
  public let property: PropertySchema

  /// The elements: of a list in order, of a map its values in key order.
  public var values: [Value] {
    switch object.content(of: property) {
    case .value: []
    case .list(let values): values
    case .map(let entries):
      entries.inKeyOrder.map(\.value)
    }
  }

  /// Appends values to a list.
  public func append(_ values: [Value]) throws { try insert(values, at: list().count) }

  /// Inserts values into a list, the first at `index`, from 0 to the count.
  public func insert(_ values: [Value], at index: Int) throws {
    var list = try list()
    guard index >= 0, index <= list.count else {
      throw HeraldError.rowOutOfRange(index, count: list.count)
    }
    guard !values.isEmpty else { return }
    list.insert(contentsOf: values, at: index)
    try put(.list(list), .insertion, Array(index..<index + values.count))
  }

  /// Removes an element of a list.
  public func remove(at index: Int) throws {
    var list = try list(with: index)
    list.remove(at: index)
    try put(.list(list), .removal, [index])
  }

  /// Replaces an element of a list.
  public func replace(at index: Int, with value: Value) throws {
    var list = try list(with: index)
    list[index] = value
    try put(.list(list), .replacement, [index])
  }

  /// Moves an element of a list; `to` is its index after the move.
  public func move(from: Int, to: Int) throws {
    var list = try list(with: from)
    guard list.indices.contains(to) else {
      throw HeraldError.rowOutOfRange(to, count: list.count)
    }
    if from == to { return }
    list.insert(list.remove(at: from), at: to)
    try put(.list(list), .replacement, Array(min(from, to)...max(from, to)))
  }

  /// Inserts a value into a set; no effect if it is present.
  public func insert(_ value: Value) throws {
    let present = try present(.set)
    if present.contains(value) { return }
    try put(.list(present + [value]), .setting)
  }

  /// Removes a value from a set; no effect if it is absent.
  public func remove(_ value: Value) throws {
    let present = try present(.set)
    guard present.contains(value) else { return }
    try put(.list(present.filter { $0 != value }), .setting)
  }

  /// Sets the value of a map's key, inserting the key if it is absent.
  public func set(_ key: String, to value: Value) throws {
    var entries = try entries()
    entries[key] = value
    try put(.map(entries), .setting)
  }

  /// Removes a key from a map; no effect if it is absent.
  public func removeKey(_ key: String) throws {
    var entries = try entries()
    guard entries.removeValue(forKey: key) != nil else { return }
    try put(.map(entries), .setting)
  }

  /// Removes every element; no effect on an empty collection.
  public func removeAll() throws {
    let count = values.count
    guard count > 0 else { return }
    switch property.type.shape {
    case .list: try put(.list([]), .removal, Array(0..<count))
    case .set: try put(.list([]), .setting)
    case .map: try put(.map([:]), .setting)
    case .single, .backlinks: throw mismatch
    }
  }

  private func put(_ content: PropertyContent, _ kind: ListChangeKind, _ rows: [Int] = []) throws {
    try object.put(content, into: property) { .rows(name: property.name, kind: kind, rows: rows) }
  }

  private func list() throws -> [Value] { try present(.list) }

  private func list(with index: Int) throws -> [Value] {
    let list = try list()
    guard list.indices.contains(index) else {
      throw HeraldError.rowOutOfRange(index, count: list.count)
    }
    return list
  }

  private func present(_ shape: PropertyShape) throws -> [Value] {
    guard property.type.shape == shape else { throw mismatch }
    return values
  }

  private func entries() throws -> MapEntries {
    guard case .map(let entries) = object.content(of: property) else { throw mismatch }
    return entries
  }

  private var mismatch: HeraldError {
    .notACollection(property: property.name, className: object.className)
  }
}

extension NewObject {
  /// Returns a collection property; nil if the property is single-valued. Errors: `unknownProperty`.
  public func collection(_ name: String) throws -> NewCollection? {
    let property = try checked(name)
    return property.type.isCollection ? NewCollection(object: self, property: property) : nil
  }
}
