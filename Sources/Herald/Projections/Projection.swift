/// An object seen through some of its properties, and paths from it, under names of the class's own.
///
///     class PersonProjection: Projection<Person> {
///       @Projected(\Person.firstName) var firstName
///       @Projected(\Person.address?.city) var homeCity
///       @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
///     }
///
///     let projection = PersonProjection(projecting: person)
///     let jasons = store.objects(PersonProjection.self).filter { $0.firstName == "Jason" }
///
/// Reading and assigning a field reads and assigns the object's property. Two projections of one class are equal if
/// they project the same object.
open class Projection<Root: ObjectBase> {
  /// The projected object.
  public final let rootObject: Root
  /// Set while the name of a key path is looked up.
  final var notes: ProjectionNotes?

  /// Creates a projection of an object, managed or not.
  public required init(projecting object: Root) { rootObject = object }
}

extension Projection: ProjectionElement {
  public typealias PersistedType = ObjectBase

  public static func _restored(_ value: ObjectBase) -> Self? {
    (value as? Root).map { Self(projecting: $0) }
  }

  public static func _rootType() -> ObjectBase.Type { Root.self }

  public static func _instance(_ object: ObjectBase) -> Self {
    Self(projecting: unsafeDowncast(object, to: Root.self))
  }

  public static func _decode(_ value: Value, _ core: StoreCore) -> Self? {
    Root._decode(value, core).map { Self(projecting: $0) }
  }

  public func _projected() -> ObjectBase { rootObject }

  public func _note(_ notes: ProjectionNotes?) { self.notes = notes }
}

extension Projection: Hashable {
  /// Whether both are of one class and project the same object.
  public static func == (a: Projection, b: Projection) -> Bool {
    type(of: a) == type(of: b) && a.rootObject == b.rootObject
  }

  /// Equal projections have one hash value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    hasher.combine(rootObject)
  }
}

extension Projection: CustomStringConvertible {
  /// The class and its fields: `PersonProjection { firstName = Jason; homeCity = Bree }`.
  public var description: String {
    let name = String(describing: type(of: self))
    if isInvalidated { return "\(name) { invalidated }" }
    let fields = (try? type(of: self)._table())?.fields ?? []
    let parts = fields.map { "\($0.name) = \($0.text(of: rootObject))" }
    return "\(name) { \(parts.joined(separator: "; ")) }"
  }
}
