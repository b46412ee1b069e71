import HeraldEngine
package import HeraldModel
import HeraldQuery

/// A live collection, always at the session's version: a property of an object (a list, a set, a map or
/// backlinks), or a list or a map nested in a value of any type.
///
///     let toys = try box.nested("contents", [.key("toys")])
///     try toys.append([.string("ball")])
///
/// The order of elements is that of a list, by value for sets (links by creation), by key for maps, and
/// by creation of the origins for backlinks. Indices start at 0. A nested collection is valid as long as its
/// path leads to a list or a map; each operation finds it again, in O(steps · log n).
///
/// Edits need an open transaction. Their errors, besides those of every `EditableCollection`: `notInWrite`,
/// `objectDeleted`, `droppedFromSchema` if the property was dropped, `cannotChangeBacklinks`, and
/// `nestedTooDeeply`.
package struct LiveCollection: EditableCollection {
  /// The object that has the property.
  package let owner: ObjectHandle
  /// The path from the property to a nested list or map; nil for the property's own collection.
  package let path: [ValueStep]?
  private let known: PropertySchema

  init(owner: ObjectHandle, property: PropertySchema, path: [ValueStep]? = nil) {
    self.owner = owner
    self.path = path
    known = property
  }

  /// The property, or the one whose value contains the collection, in the schema of the session's version;
  /// the last known one if it was dropped.
  package var property: PropertySchema {
    session.schema.classSchema(owner.id.classID)?.property(known.id) ?? known
  }

  private var session: Session { owner.store.session }

  /// The place of a nested collection; nil for others, and if the path leads to none.
  var place: NestedPlace? {
    path.flatMap { session.reader.nestedPlace(at: $0, of: known.id, owner.storedID) }
  }

  /// The object and the property that have the elements; nil if the path leads to no list or map.
  private var holder: (object: ObjectID, property: PropertyID)? {
    path == nil ? (owner.storedID, known.id) : place.map { ($0.collection, .elements) }
  }

  /// Whether the owner is valid, and the path leads to a list or a map.
  package var isValid: Bool { owner.isValid && holder != nil }

  /// The number of elements; 0 if the collection is not valid. O(log n), for backlinks O(n).
  package var count: Int {
    holder.map { session.reader.listCount($0.property, of: $0.object) } ?? 0
  }

  /// The element at an index. O(log n), for backlinks O(n). Errors: `rowOutOfRange`, `damaged`.
  package subscript(index: Int) -> Value {
    get throws {
      guard let holder, index >= 0, index < count else {
        throw HeraldError.rowOutOfRange(index, count: count)
      }
      let element = session.reader.listElement(holder.property, of: holder.object, at: index)
      try owner.store.checkIntact()
      return element
    }
  }

  /// The elements in order; of a map its values. O(n).
  package var values: [Value] {
    guard let holder else { return [] }
    var values: [Value] = []
    values.reserveCapacity(count)
    session.reader.forEachElement(holder.property, of: holder.object) {
      values.append($0)
      return true
    }
    return values
  }

  /// The keys of a map, in order; empty for other collections. O(n).
  package var keys: [String] {
    guard isMap, let holder else { return [] }
    return session.reader.mapKeys(holder.property, of: holder.object)
  }

  /// The elements as one value, a list or a map; nil if the collection is not valid. O(n).
  package var value: Value? {
    guard isValid else { return nil }
    return isMap ? .map(MapEntries(zip(keys, values))) : .list(values)
  }

  /// Returns the key of a map's row, which must exist. O(log n).
  package func key(at row: Int) -> String {
    holder.map { session.reader.mapKey($0.property, of: $0.object, at: row) } ?? ""
  }

  /// Returns the value of a map's key; nil if the key is absent or the collection is not a map. O(log n).
  package func value(forKey key: String) -> Value? {
    guard isMap, let holder else { return nil }
    return session.reader.mapValue(forKey: key, holder.property, of: holder.object)
  }

  /// Returns the row of a map's key, or the row at which it would be inserted. O(log n).
  package func position(ofKey key: String) -> (row: Int, isPresent: Bool) {
    guard let holder else { return (0, false) }
    let found = session.reader.position(ofKey: key, inMap: holder.property, of: holder.object)
    return (found.index, found.isPresent)
  }

  /// Returns whether the collection contains a value. O(log n) for a set, O(n) for others.
  package func contains(_ value: Value) -> Bool {
    guard shape == .set else { return values.contains(value) }
    return session.reader.position(of: value, inSet: known.id, of: owner.storedID).isPresent
  }

  /// The kind of the collection at the session's version; single if the path leads to no list or map.
  package var shape: PropertyShape {
    if path == nil { return property.type.shape }
    guard let place else { return .single }
    return place.collection.classID == .nestedMaps ? .map : .list
  }

  /// Edits the collection in the open transaction. Errors: `notInWrite`, `rowOutOfRange`, `wrongType`, `objectDeleted`.
  package func apply(_ edit: CollectionEdit) throws {
    try owner.checkAdded()
    guard let path else { return try session.change(known, of: owner.id, edit) }
    try session.change(known, of: owner.id, inside: path, edit)
  }
}
