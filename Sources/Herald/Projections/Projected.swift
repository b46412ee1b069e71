import HeraldModel

/// A field of a projection: a property of the projected object, or one that a path leads to.
///
///     @Projected(\Person.firstName) var firstName
///     @Projected(\Person.address?.city) var homeCity  // nil where the person has no address
///     @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
///
/// A path may go on to a value that is computed of the property, as `\Person.lastName.localizedUppercase` does: such a
/// field is read and observed, but neither queried nor assigned.
///
/// An assignment changes the property at the end of the path. It stops the program outside a write transaction and
/// through a collection. Where a link on the path is nil, and for nil if the property is not optional, the write fails
/// with `fieldReadOnly`; of an unmanaged object it stops the program.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value> {
  let path: KeyPath<Root, Value>

  /// A field that reads a path of `@Persisted` properties.
  public init(_ path: KeyPath<Root, Value>) { self.path = path }

  @available(*, unavailable, message: "@Projected is for properties of subclasses of Projection")
  public var wrappedValue: Value {
    get { fatalError("@Projected is for properties of subclasses of Projection") }
    set { fatalError("@Projected is for properties of subclasses of Projection") }
  }

  public static subscript<Owner: Projection<Root>>(
    _enclosingInstance owner: Owner, wrapped accessor: ReferenceWritableKeyPath<Owner, Value>,
    storage storagePath: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    get {
      let path = owner[keyPath: storagePath].path
      owner.notes?.reads.append((accessor, path))
      return owner.rootObject[keyPath: path]
    }
    set {
      let path = owner[keyPath: storagePath].path
      if let path = path as? ReferenceWritableKeyPath<Root, Value> {
        owner.rootObject[keyPath: path] = newValue
        return
      }
      do {
        let field = try Owner._table().fields.first { $0.keyPath == path }
        field?.assign(newValue, of: owner.rootObject)
      } catch {
        stopProgram("\(error)")
      }
    }
  }
}

/// What a projection's table asks a wrapper, whatever its types.
protocol ProjectedWrapper {
  var anyPath: AnyKeyPath { get }
  /// The dotted name of the path from the projected class, and whether its value is computed. Errors: `KeyPathError`.
  func name() throws -> (name: String, isComputed: Bool)
  func read(_ object: ObjectBase) -> Any
}

extension Projected: ProjectedWrapper {
  var anyPath: AnyKeyPath { path }
  func name() throws -> (name: String, isComputed: Bool) {
    try projectedName(of: path, from: Root.self)
  }
  func read(_ object: ObjectBase) -> Any { unsafeDowncast(object, to: Root.self)[keyPath: path] }
}
