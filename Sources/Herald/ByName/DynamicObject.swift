/// An object of a class that the program knows by its name alone: its properties are read, assigned and observed by their
/// names.
///
///     let dog = store.dynamic.objects("Dog").filter("age > 10").first
///     let name = dog?["name"] as? String
///     try store.write { dog?["owner"] = store.dynamic.object("Person", forKey: 7) }
///
/// What a property has is as a class of the program would declare it: `Int`, `Int?`, `Date` or `AnyValue`; a link is a
/// `DynamicObject?`, and a collection a `List`, `MutableSet`, `Map` or `LinkingObjects` of values or of `DynamicObject`.
/// Everything else is as for any other object.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// Of an object that was not added yet: its class, and its values by slot.
  private var new: (table: ObjectTable, values: [(any Persistable)?])?
  /// Of an object that a migration could not create: the migration, which has failed.
  private(set) weak var failedMigration: Migration?

  /// An object of no class, of which there is nothing to be read; `store.dynamic.create` makes those of a class.
  public required init() {}

  /// A new object of a class.
  convenience init(of table: ObjectTable) {
    self.init()
    new = (table, [(any Persistable)?](repeating: nil, count: table.slotCount))
  }

  /// The object in the place of one that a migration could not create.
  static func missing(of migration: Migration) -> DynamicObject {
    let object = DynamicObject()
    object.failedMigration = migration
    return object
  }

  override var migration: Migration? { failedMigration ?? super.migration }

  /// Throws: the class is that of each object, and none is declared for the type.
  public override class func makeObjectTable() throws -> ObjectTable {
    throw SchemaError(
      "'DynamicObject' is no class of its own: 'store.dynamic' has the objects of each class by name"
    )
  }

  override func classTable() throws -> ObjectTable {
    guard let binding = _binding else {
      guard let new else { return try Self.makeObjectTable() }
      return new.table
    }
    binding.core.checkOwner()
    if binding.isCurrent { return binding.table }
    // The class has got other properties since.
    let current = try binding.core.binding(ofClass: binding.classID)
    _binding = current
    return current.table
  }

  override func binding(in core: StoreCore) throws -> ClassBinding {
    try core.binding(ofClassNamed: classTable().className)
  }

  override var isPart: Bool { (try? classTable())?.named?.classSchema.isEmbedded ?? false }

  /// A property of an object that was not added yet.
  final class NewValue: LocalProperty {
    private let slot: Int
    private let type: any Persistable.Type
    /// What it has where it is given nothing; nil where the store decides.
    private let initial: PropertyContent?

    init(atSlot slot: Int, _ type: any Persistable.Type, initially initial: PropertyContent?) {
      self.slot = slot
      self.type = type
      self.initial = initial
    }

    private func given(_ object: ObjectBase) -> (any Persistable)? {
      guard let new = unsafeDowncast(object, to: DynamicObject.self).new,
        slot < new.values.count
      else { return nil }
      return new.values[slot]
    }

    override func value(_ object: ObjectBase) -> any Persistable {
      given(object) ?? type._initial()
    }

    override func content(_ object: ObjectBase, _ links: LinkEncoder) throws -> PropertyContent? {
      try given(object)?._content(links) ?? initial
    }

    override func set(_ object: ObjectBase, _ value: any Persistable) {
      unsafeDowncast(object, to: DynamicObject.self).new?.values[slot] = value
    }

    override func release(_ object: ObjectBase) {
      unsafeDowncast(object, to: DynamicObject.self).new?.values[slot] = nil
    }
  }
}

extension DynamicObject {
  /// A property by its name, as `object["name"]`; a name that every object has, such as `store`, is not a property.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }

  /// The same object as one of the program's class; by the names of its properties where the program has used none of them
  /// with the store, and in a migration.
  package var ofProgramClass: ObjectBase {
    id.flatMap { _binding?.core.knownInstance($0) } ?? self
  }

  /// An object of a store by the names of its properties; nil for an unmanaged one.
  package static func of(_ object: ObjectBase) -> DynamicObject? {
    guard let binding = object._binding, let id = object.id else { return nil }
    return (object as? DynamicObject) ?? binding.core.instance(of: DynamicObject.self, id)
  }
}
