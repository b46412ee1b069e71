import HeraldEngine
public import HeraldModel

/// What `Object` and `EmbeddedObject` have in common: an instance of a class of the program, whose `@Persisted`
/// properties are its own until it is added to a store, and from then on the store's.
///
/// An instance belongs to the thread, queue or actor of its store. Two instances of one object are equal.
open class ObjectBase: CustomStringConvertible {
  /// The store's class, retained; nil while the instance is in no store. Not a strong reference, whose loads would
  /// cost each read of a property a retain and a release.
  @usableFromInline @exclusivity(unchecked)
  final var _bindingReference: Unmanaged<ClassBinding>?
  /// The number of the object in its class.
  @usableFromInline @exclusivity(unchecked) final var _number: ObjectNumber = 0
  /// What few instances have: observers of an unmanaged one, or a recorder of key paths.
  @usableFromInline @exclusivity(unchecked) final var _extra: ObjectExtra?

  /// Creates an unmanaged instance, with the defaults of its properties.
  public required init() {}

  deinit { _bindingReference?.release() }

  /// The class and its properties: `Dog { name = Max; age = 3 }`. Collections are counted, linked objects
  /// named by their class.
  open var description: String { propertiesInBraces }

  /// The name of the class in stores; its Swift name unless a subclass overrides it.
  open class var className: String { _realmObjectName() ?? String(describing: self) }

  /// The names, types and defaults of the class's properties, found by reflection unless a subclass overrides
  /// this. Called once for each class.
  open class func makeObjectTable() throws -> ObjectTable { try ObjectTable(reflecting: self) }

  // What classes that come from Realm override.

  /// The name of the primary key of a class that does not say it by `@Persisted(primaryKey:)`; nil for none.
  open class func primaryKey() -> String? { nil }

  /// The names of properties with an index, beside those that say it by `@Persisted(indexed:)`.
  open class func indexedProperties() -> [String] { [] }

  /// The names of collections that no store keeps. Only they need this: of others, those that are `@Persisted` are kept.
  open class func ignoredProperties() -> [String] { [] }

  /// The names in stores of properties that have other names in the program, by the latter.
  ///
  /// Queries in text have the names of the store; key paths, values by name and changes those of the program.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// The name of the class in stores; nil for its Swift name. `className` is the same with less.
  open class func _realmObjectName() -> String? { nil }

  /// Whether a `Realm` of HeraldCompatibility that is opened without a list of classes has the class; else it is taken in
  /// at its first use, as with `Store`.
  open class func shouldIncludeInDefaultSchema() -> Bool { !_realmIgnoreClass() }

  /// Whether the class is only declared, such as one that others inherit from: the same as not being included in the
  /// default schema.
  open class func _realmIgnoreClass() -> Bool { false }

  // Overridden where a name at run time, instead of the type, says which class an object is of.

  /// The properties of the object's class. Errors: `SchemaError`.
  func classTable() throws -> ObjectTable { try ObjectTable.of(type(of: self)) }

  /// Returns the object's class in a session, which takes it in if it is new. Errors: `SchemaError`.
  func binding(in core: StoreCore) throws -> ClassBinding {
    try core.binding(of: type(of: self))
  }

  /// The migration that the object is a part of; nil mostly.
  var migration: Migration? { _binding?.core.migration }

  /// Whether the object is of a class whose objects are parts of others.
  var isPart: Bool { self is EmbeddedObject }
}

extension ObjectBase {
  /// The store's class; nil while the instance is in no store.
  final var _binding: ClassBinding? {
    get { _bindingReference?.takeUnretainedValue() }
    set {
      let old = _bindingReference
      _bindingReference = newValue.map(Unmanaged.passRetained)
      old?.release()
    }
  }

  /// Whether the write that added the object was rolled back.
  var isRolledBack: Bool { (_extra as? AddedInWrite)?.outcome.isRolledBack ?? false }

  /// The object in a sentence: `the object Person#7`.
  var place: String {
    _binding == nil
      ? "an unmanaged object of class '\(nameOfClass)'" : "the object \(nameInStore)"
  }

  /// What follows `the object` in a sentence: `Person#7`, or its number if it has no key, or none any more.
  var nameInStore: String {
    let className = nameOfClass
    guard let _binding else { return "of class '\(className)'" }
    return isInvalidated
      ? "number \(_number) of class '\(className)'"
      : _binding.core.session.name(of: ObjectID(_binding.classID, _number))
  }

  var id: ObjectID? { _binding.map { ObjectID($0.classID, _number) } }

  /// The name of the object's class in stores.
  var nameOfClass: String { (try? classTable())?.className ?? type(of: self).className }
}

extension ObservableObjectBase {
  /// The store that the object is in; nil for an unmanaged instance.
  public var store: Store? { _binding?.core.facade }

  /// Whether the object was deleted, its adding was rolled back, or its store was closed.
  public var isInvalidated: Bool {
    guard let _binding else { return false }
    let isInvalidated = isRolledBack || !_binding.exists(_number)
    if !isInvalidated, _binding.owner.isTracking { _binding.track(.existence, of: _number) }
    return isInvalidated
  }

  /// Whether the object is immutable, at one version of its store.
  public var isFrozen: Bool { _binding?.core.session.isFrozen ?? false }

  /// The hash value of the object, as `hash(into:)` makes it.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

extension ObjectBase: Hashable {
  /// Whether both are the same object of the same store, at the same version if one is frozen; of unmanaged
  /// instances, whether they are the same instance.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
    if a === b { return true }
    guard let left = a._binding, let right = b._binding else { return false }
    return a._number == b._number && left.classID == right.classID
      && left.core.session === right.core.session && a.isRolledBack == b.isRolledBack
  }

  /// Instances of one object have one hash value. Adding an object to a store changes its hash value.
  public func hash(into hasher: inout Hasher) {
    if let _binding {
      hasher.combine(_binding.classID)
      hasher.combine(_number)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

extension ObjectBase {
  fileprivate var propertiesInBraces: String {
    guard let table = try? classTable() else { return Self.className }
    if isInvalidated { return "\(table.className) { invalidated }" }
    let parts = table.properties.map { "\($0.label) = \($0.describe(self))" }
    return "\(table.className) { \(parts.joined(separator: "; ")) }"
  }
}

/// What few instances have.
@usableFromInline
class ObjectExtra {
  /// Stops the program if the instance cannot be used any more.
  func checkUsable(_ owner: ObjectBase, slot: Int) {}

  /// Notes a read of a property, and returns the value that the reader gets; nil for the instance's own.
  func read<Value: Persistable>(_ owner: ObjectBase, as type: Value.Type, slot: Int) -> Value? {
    nil
  }

  /// Called after a property of an unmanaged instance was set, by a path unless by its name.
  func assigned<Value: Persistable>(_ path: AnyKeyPath?, slot: Int, old: Value, new: Value) {}
}

/// Which properties of an unmanaged instance were given, of one made of values in those of another one: an existing object
/// in its place keeps the others.
final class GivenValues: ObjectExtra {
  let names: Set<String>

  init(_ names: Set<String>) { self.names = names }
}

/// Shared by the instances of objects that one write added: it records whether the write was rolled back.
final class AddedInWrite: ObjectExtra {
  let outcome: WriteOutcome

  init(_ outcome: WriteOutcome) { self.outcome = outcome }

  override func checkUsable(_ owner: ObjectBase, slot: Int) {
    guard outcome.isRolledBack else { return }
    let table = try? owner.classTable()
    stopProgram(
      "property '\(table?.property(atSlot: slot)?.name ?? "")' of \(owner.place) is used after the "
        + "write that added the object was rolled back")
  }
}
