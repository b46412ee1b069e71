import HeraldModel
import HeraldQuery

/// `Projection` and its subclasses, as types that their own methods can name. Programs subclass `Projection`.
public protocol ProjectionElement: ResultElement, Hashable {
  /// The object that is projected: a function, beside which a subclass can have a property of any name.
  func _projected() -> ObjectBase
  /// Begins or ends to note the fields that are read.
  func _note(_ notes: ProjectionNotes?)
}

extension ProjectionElement {
  public var _object: ObjectBase { _projected() }

  public func _encode(_ links: LinkEncoder) throws -> Value { try _projected()._encode(links) }

  public var _text: String { _projected()._text }

  public var _core: StoreCore? { _projected()._core }

  public var _finder: ConfinedFinder? {
    guard let core = _core, let finder = _projected()._finder else { return nil }
    let find = finder.find
    return ConfinedFinder(core) { core in
      try find(core).flatMap { ($0 as? ObjectBase).map(Self._instance) }
    }
  }

  /// The store of the projected object; nil for an unmanaged one.
  public var store: Store? { _object.store }

  /// Whether the projected object was deleted, its adding was rolled back, or its store was closed.
  public var isInvalidated: Bool { _object.isInvalidated }

  /// Whether the projected object is immutable, at one version of its store.
  public var isFrozen: Bool { _object.isFrozen }

  /// The hash value of the projection, as `hash(into:)` makes it.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }

  /// Returns the path from the projected class for a name of the projection, which may continue after a dot:
  /// `address.city` for `homeCity`. Errors: `unknownField`; `KeyPathError` for a computed field; `SchemaError` or
  /// `KeyPathError` for a class that cannot be used.
  public static func _path(of fieldName: String) throws -> String {
    let parts = fieldName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let field = try _table().field(named: String(parts[0]))
    if field.isComputed {
      throw KeyPathError(
        description: "field '\(field.name)' of projection '\(field.projection)' is computed of "
          + "'\(field.path)', and cannot be queried")
    }
    return parts.count == 1 ? field.path : "\(field.path).\(parts[1])"
  }

  /// Returns the name of the field that a key path reads. Errors: `KeyPathError` for anything but a `@Projected`
  /// property.
  public static func _fieldName(of path: PartialKeyPath<Self>) throws -> String {
    let notes = ProjectionNotes()
    let instance = _instance(_rootType().init())
    instance._note(notes)
    _ = instance[keyPath: path]
    if notes.reads.count == 1,
      notes.reads[0].accessor == path
        || type(of: notes.reads[0].accessor).rootType != Self.self
          && type(of: notes.reads[0].accessor).valueType == type(of: path).valueType,
      let field = try _table().fields.first(where: { $0.keyPath == notes.reads[0].projected })
    {
      return field.name
    }
    throw KeyPathError(
      description: "the key path from '\(Self.self)' to a value of type "
        + "'\(type(of: path).valueType)' is no @Projected property")
  }

  public static func _name(of path: AnyKeyPath) throws -> String {
    try _fieldName(of: unsafeDowncast(path, to: PartialKeyPath<Self>.self))
  }

  public static func _names() throws -> ElementNames? {
    ElementNames(projection: try _table().definitionForQueries(of: ObjectTable.of(_rootType())))
  }

  /// The fields, found once for each class. Errors: `SchemaError`, `KeyPathError`.
  static func _table() throws -> ProjectionTable { try ProjectionTable.of(self) }

  /// Returns the paths from the projected class for key paths in the projection's names; nil stands for every field.
  static func paths(of keyPaths: [String]?) throws -> [String] {
    let fields = try _table().fields
    return try keyPaths?.map { name in
      try fields.first { $0.name == name && $0.isComputed }?.path ?? _path(of: name)
    } ?? fields.map(\.path)
  }
}

extension Store {
  /// Every object of a projection's class, seen through the projection, in order of creation. Queries and observers
  /// use the projection's names, and queries in text also those of the class's properties that no field is named like;
  /// without key paths, a row is modified when a field of it changes.
  public func objects<Element: ProjectionElement>(_ type: Element.Type) -> Results<Element> {
    core.checkOwner()
    return Results(core, classOf: type)
  }
}

/// The fields that a key path of a projection reads.
public final class ProjectionNotes {
  var reads: [(accessor: AnyKeyPath, projected: AnyKeyPath)] = []
}
