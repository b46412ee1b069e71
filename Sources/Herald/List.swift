import HeraldEngine
public import HeraldModel

/// A live list property of an object, always at the session's version.
public struct List {
  public let owner: Object
  public let property: PropertySchema

  private var session: Session { owner.store.session }

  /// False once the owner was deleted.
  public var isValid: Bool { owner.isValid }

  public var count: Int { session.reader.listCount(property.id, of: owner.id) }

  public subscript(index: Int) -> Value {
    get throws {
      guard index >= 0, index < count else {
        throw HeraldError.rowOutOfRange(index, count: count)
      }
      return session.reader.listElement(property.id, of: owner.id, at: index)
    }
  }

  /// Every element in order.
  public var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    session.reader.forEachElement(property.id, of: owner.id) {
      values.append($0)
      return true
    }
    return values
  }

  public func append(_ values: [Value]) throws { try insert(values, at: count) }

  /// Inserts elements, the first at `index`.
  public func insert(_ values: [Value], at index: Int) throws {
    try session.change(property, of: owner.id, .insert(values, at: index))
  }

  public func remove(at index: Int) throws {
    try session.change(property, of: owner.id, .remove(at: index))
  }

  /// Moves an element; `to` is its place after the move.
  public func move(from: Int, to: Int) throws {
    try session.change(property, of: owner.id, .move(from: from, to: to))
  }

  public func replace(at index: Int, with value: Value) throws {
    try session.change(property, of: owner.id, .replace(at: index, with: value))
  }

  public func removeAll() throws {
    try session.change(property, of: owner.id, .removeAll)
  }
}
