import HeraldEngine
public import HeraldModel
import HeraldObservation
import HeraldQuery

/// A list or a map nested in a value of any type, or in an element of a collection of such values, always
/// at the session's version.
///
///     let toys = try box.nested("contents", [.key("toys")])
///     try toys.append([.string("ball")])
///
/// It is valid as long as its path leads to a list or a map. A value of any type is stored as a whole, so
/// each operation costs O(size of the value).
///
/// Edits need an open transaction; their errors are those of `LiveCollection`.
public struct NestedCollection: EditableCollection {
  /// The object that has the property.
  public let owner: Object
  /// The property whose value contains the list or the map.
  public let property: PropertySchema
  /// The path from the property to the list or the map.
  public let path: [ValueStep]

  private var session: Session { owner.store.session }

  /// The list or the map; nil if the path no longer leads to one.
  public var value: Value? {
    let part = session.reader.part(of: property.id, owner.storedID, property.type.shape, at: path)
    return part?.nestedCount == nil ? nil : part
  }

  /// Whether the owner is valid and the path leads to a list or a map.
  public var isValid: Bool { owner.isValid && value != nil }

  /// A list or a map; single if the path no longer leads to one.
  public var shape: PropertyShape { PropertyContent(elementsOf: value ?? .null).shape }

  /// The number of elements; 0 if the path no longer leads to a list or a map.
  public var count: Int { value?.nestedCount ?? 0 }

  /// The elements of a list in order, or the values of a map in the order of its keys.
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

  public func apply(_ edit: CollectionEdit) throws {
    try owner.checkAdded()
    try session.change(property, of: owner.id, inside: path, edit)
  }

  /// Observes the elements: rows of a list, or keys of a map, and changes of objects up to `depth` links
  /// away (4 by default). With empty `keyPaths`, changes of objects are not delivered; values of any type
  /// have no other key paths.
  ///
  /// The token follows the list or map when rows before it are inserted or removed. When the path no
  /// longer leads to it, its last change is an update with `ownerDeleted`. Errors: `notACollection` if
  /// the path does not lead to a list or a map, `keyPathsOnValues`, `objectDeleted`, `closed`,
  /// `cannotObserve`.
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
        owner: owner, property: property, path: store.session.observatory.reportedPath ?? path)
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
  /// The session of the owner.
  public var store: Store { owner.store }

  /// A function that finds the same list or map in another session, and returns nil if it does not exist
  /// there.
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
  /// Returns a list or a map nested in a property of any type, or in an element of a collection of such
  /// values. Errors: `unknownProperty`, `objectDeleted`, `closed`, `notACollection` if the path does not
  /// lead to a list or a map.
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
