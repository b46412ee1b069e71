import HeraldEngine
public import HeraldModel
import HeraldObservation
import HeraldQuery

/// A list or a map inside a value of any type, or inside an element of a collection of such; always
/// at the session's version.
///
///     let toys = try box.nested("contents", [.key("toys")])
///     try toys.append([.string("ball")])
///
/// It stays what it is as long as a list, or a map, stands at its path. Values of any type are stored
/// whole: each operation costs as much as the value is long.
public struct NestedCollection {
  public let owner: Object
  public let property: PropertySchema
  /// From the property to the list or the map.
  public let path: [ValueStep]

  private var session: Session { owner.store.session }

  /// The list or the map as it is now; nil where neither stands there any more.
  public var value: Value? {
    let part = session.reader.part(of: property.id, owner.storedID, property.type.shape, at: path)
    return part?.partCount == nil ? nil : part
  }

  public var isValid: Bool { owner.isValid && value != nil }

  public var isMap: Bool { if case .map? = value { true } else { false } }

  public var count: Int { value?.partCount ?? 0 }

  /// The elements of a list in order, the values of a map in the order of its keys.
  public var values: [Value] {
    switch value {
    case .list(let values)?: values
    case .map(let entries)?: keys.map { entries[$0] ?? .null }
    case _: []
    }
  }

  /// The keys of a map, in order; empty for a list.
  public var keys: [String] {
    guard case .map(let entries)? = value else { return [] }
    return entries.keys.inKeyOrder
  }

  /// Adds to the end of a list.
  public func append(_ values: [Value]) throws { try insert(values, at: count) }

  /// Inserts elements into a list, the first at `index`.
  public func insert(_ values: [Value], at index: Int) throws {
    try change(.insert(values, at: index))
  }

  public func remove(at index: Int) throws { try change(.remove(at: index)) }

  /// Moves an element; `to` is its place after the move.
  public func move(from: Int, to: Int) throws { try change(.move(from: from, to: to)) }

  public func replace(at index: Int, with value: Value) throws {
    try change(.replace(at: index, with: value))
  }

  /// Gives a map's key a value.
  public func set(_ key: String, to value: Value) throws { try change(.setKey(key, value)) }

  /// Takes a key out of a map; nothing where it is not there.
  public func removeKey(_ key: String) throws { try change(.removeKey(key)) }

  public func removeAll() throws { try change(.removeAll) }

  private func change(_ operation: HeraldEngine.CollectionOperation) throws {
    try owner.checkAdded()
    try session.change(property, of: owner.id, inside: path, operation)
  }

  /// Observes the elements: rows of a list, keys of a map, and the objects that they lead to, up to
  /// `depth` links away (4 by default). With `keyPaths` empty no such changes are told; values of any
  /// type have no other key paths.
  ///
  /// The token follows the list or map where rows before it come and go. It hears that its owner is
  /// deleted when something else stands there.
  public func observe(
    keyPaths: [String]? = nil, depth: Int? = nil,
    _ block: @escaping (NestedCollection, CollectionChange) throws -> Void
  ) throws -> ObservationToken {
    let filter = try rowFilter(keyPaths, depth)
    let (id, property, path) = (owner.id, property, path)
    return try store.token(for: .inside(owner: id, property: property.id, path, filter)) {
      store, report in
      let owner = Object(store: store, id: id)
      let nested = NestedCollection(
        owner: owner, property: property, path: store.session.reportedPath ?? path)
      try report.collectionChange.map { try block(nested, $0) }
    }
  }

  func rowFilter(_ keyPaths: [String]?, _ depth: Int?) throws -> RowFilter {
    try store.session.checkOpen()
    let classSchema = try owner.classSchema
    guard value != nil else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    guard keyPaths?.isEmpty ?? true else { throw HeraldError.keyPathsOnValues(property.name) }
    return try store.rowFilter(keyPaths, depth, owner.id.classID)
  }
}

extension NestedCollection: ThreadConfined {
  public var store: Store { owner.store }

  public var finder: @Sendable (Store) throws -> NestedCollection? {
    { [find = owner.finder, property, path] store in
      let nested = try find(store).map {
        NestedCollection(owner: $0, property: property, path: path)
      }
      return nested?.value == nil ? nil : nested
    }
  }
}

extension Object {
  /// A list or a map inside a property of any type, or inside an element of a collection of such.
  /// Errors: unknown property, deleted object, or neither stands there.
  public func nested(_ property: String, _ path: [ValueStep] = []) throws -> NestedCollection {
    try store.session.checkOpen()
    let classSchema = try self.classSchema
    let property = try store.session.checkedProperty(property, of: classSchema)
    let nested = NestedCollection(owner: self, property: property, path: path)
    guard property.type.element == .any, nested.value != nil else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    return nested
  }
}
