import HeraldEngine
public import HeraldModel

/// A live collection property of an object (a list, a set, a map or backlinks), always at the session's
/// version.
///
/// The order of elements is that of a list, by value for sets (links by creation), by key for maps, and
/// by creation of the origins for backlinks. Indices start at 0.
///
/// Edits need an open transaction. Their errors, besides those of every `EditableCollection`: `notInWrite`,
/// `objectDeleted`, `droppedFromSchema` if the property was dropped, and `cannotChangeBacklinks`.
public struct LiveCollection: EditableCollection {
  /// The object that has the property.
  public let owner: Object
  private let known: PropertySchema

  init(owner: Object, property: PropertySchema) {
    self.owner = owner
    known = property
  }

  /// The property in the schema of the session's version; the last known one if it was dropped.
  public var property: PropertySchema {
    session.schema.classSchema(owner.id.classID)?.property(known.id) ?? known
  }

  private var session: Session { owner.store.session }

  /// Whether the owner is valid.
  public var isValid: Bool { owner.isValid }

  /// The number of elements; 0 if the owner was deleted. O(log n), for backlinks O(n).
  public var count: Int { session.reader.listCount(property.id, of: owner.storedID) }

  /// The element at an index. O(log n), for backlinks O(n). Errors: `rowOutOfRange`, `damaged`.
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

  /// The elements in order; of a map its values. O(n).
  public var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    session.reader.forEachElement(property.id, of: owner.storedID) {
      values.append($0)
      return true
    }
    return values
  }

  /// The keys of a map, in order; empty for other collections. O(n log n).
  public var keys: [String] {
    guard property.type.shape == .map else { return [] }
    return (0..<count).map { session.reader.mapKey(property.id, of: owner.storedID, at: $0) }
  }

  /// Returns the key of a map's row, which must exist. O(log n).
  public func key(at row: Int) -> String {
    session.reader.mapKey(property.id, of: owner.storedID, at: row)
  }

  /// Returns the value of a map's key; nil if the key is absent or the collection is not a map. O(log n).
  public func value(forKey key: String) -> Value? {
    guard property.type.shape == .map else { return nil }
    return session.reader.mapValue(forKey: key, property.id, of: owner.storedID)
  }

  /// Returns the row of a map's key, or the row at which it would be inserted. O(log n).
  package func place(ofKey key: String) -> (row: Int, isPresent: Bool) {
    let place = session.reader.place(ofKey: key, inMap: property.id, of: owner.storedID)
    return (place.index, place.isPresent)
  }

  /// Returns whether the collection contains a value. O(log n) for a set, O(n) for others.
  public func contains(_ value: Value) -> Bool {
    guard property.type.shape == .set else { return values.contains(value) }
    return session.reader.place(of: value, inSet: property.id, of: owner.storedID).isPresent
  }

  /// The kind of the collection in the schema of the session's version.
  public var shape: PropertyShape { property.type.shape }

  public func apply(_ edit: CollectionEdit) throws {
    try owner.checkAdded()
    try session.change(property, of: owner.id, edit)
  }
}
