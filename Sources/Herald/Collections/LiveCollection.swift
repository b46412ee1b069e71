import HeraldEngine
public import HeraldModel

/// A live collection property of an object (a list, a set, a map or backlinks), always at the
/// session's version.
///
/// Elements are in the collection's order: a list's own, sets by value (links by creation), maps by
/// key, backlinks by creation of their origins.
public struct LiveCollection {
  public let owner: Object
  private let known: PropertySchema

  init(owner: Object, property: PropertySchema) {
    self.owner = owner
    known = property
  }

  /// The property as the session's version has it; as it was where it has been dropped.
  public var property: PropertySchema {
    session.schema.classSchema(owner.id.classID)?.property(known.id) ?? known
  }

  private var session: Session { owner.store.session }

  /// False once the owner was deleted.
  public var isValid: Bool { owner.isValid }

  public var count: Int { session.reader.listCount(property.id, of: owner.storedID) }

  public subscript(index: Int) -> Value {
    get throws {
      guard index >= 0, index < count else {
        throw HeraldError.rowOutOfRange(index, count: count)
      }
      let element = session.reader.listElement(property.id, of: owner.storedID, at: index)
      try owner.store.checkIntact()
      return element
    }
  }

  /// Every element in order.
  public var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    session.reader.forEachElement(property.id, of: owner.storedID) {
      values.append($0)
      return true
    }
    return values
  }

  /// The keys of a map, in order; empty for the others.
  public var keys: [String] {
    guard property.type.shape == .map else { return [] }
    return (0..<count).map { session.reader.mapKey(property.id, of: owner.storedID, at: $0) }
  }

  /// The key of a map's row, which must be there. O(log n).
  public func key(at row: Int) -> String {
    session.reader.mapKey(property.id, of: owner.storedID, at: row)
  }

  /// The value of a map's key; nil where it has none.
  public func value(forKey key: String) -> Value? {
    guard property.type.shape == .map else { return nil }
    return session.reader.mapValue(forKey: key, property.id, of: owner.storedID)
  }

  /// The row of a map's key, or the row that it would have. O(log n).
  package func place(ofKey key: String) -> (row: Int, isPresent: Bool) {
    let place = session.reader.place(ofKey: key, inMap: property.id, of: owner.storedID)
    return (place.index, place.isPresent)
  }

  /// Whether a set has a value.
  public func contains(_ value: Value) -> Bool {
    guard property.type.shape == .set else { return values.contains(value) }
    return session.reader.place(of: value, inSet: property.id, of: owner.storedID).isPresent
  }

  /// Adds to the end of a list.
  public func append(_ values: [Value]) throws { try insert(values, at: count) }

  /// Puts a value into a set; nothing where it is there.
  public func insert(_ value: Value) throws {
    try change(.insertValue(value))
  }

  /// Takes a value out of a set; nothing where it is not there.
  public func remove(_ value: Value) throws {
    try change(.removeValue(value))
  }

  /// Gives a map's key a value.
  public func set(_ key: String, to value: Value) throws {
    try change(.setKey(key, value))
  }

  /// Takes a key out of a map; nothing where it is not there.
  public func removeKey(_ key: String) throws {
    try change(.removeKey(key))
  }

  /// Inserts elements, the first at `index`.
  public func insert(_ values: [Value], at index: Int) throws {
    try change(.insert(values, at: index))
  }

  public func remove(at index: Int) throws {
    try change(.remove(at: index))
  }

  /// Moves an element; `to` is its place after the move.
  public func move(from: Int, to: Int) throws {
    try change(.move(from: from, to: to))
  }

  public func replace(at index: Int, with value: Value) throws {
    try change(.replace(at: index, with: value))
  }

  public func removeAll() throws {
    try change(.removeAll)
  }

  private func change(_ operation: HeraldEngine.CollectionOperation) throws {
    try owner.checkAdded()
    try session.change(property, of: owner.id, operation)
  }
}
