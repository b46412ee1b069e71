import Synchronization

/// What a key path reads, found by reading it from an instance that notes its reads.
///
/// A key path has no name at run time. One through links and collections reads one property after the other, each
/// from the object that the property before led to; anything else is a computed property.
public final class KeyPathTrace {
  fileprivate struct Step {
    let name: String
    let owner: ObjectBase.Type
    let type: any Persistable.Type
  }

  fileprivate var steps: [Step] = []
  /// The instance that the next step must read.
  fileprivate var expected: ObjectIdentifier?
  fileprivate var isComputed = false
  /// How many steps lead to the collection of which an element is read.
  fileprivate var collectionSteps: Int?
  /// The key path that was assigned last.
  fileprivate var assigned: AnyKeyPath?
  /// Instances made for links stay until the end, so that their identities differ.
  private var instances: [ObjectBase] = []

  init() {}

  /// Makes the instance that a link leads to.
  func instance<T: ObjectBase>(of type: T.Type) -> T {
    let object = type.init()
    object._extra = KeyPathRecorder(self)
    expected = ObjectIdentifier(object)
    instances.append(object)
    return object
  }
}

/// Notes the reads of an instance.
private final class KeyPathRecorder: ObjectExtra {
  let trace: KeyPathTrace

  init(_ trace: KeyPathTrace) { self.trace = trace }

  override func read<Value: Persistable>(
    _ owner: ObjectBase, as type: Value.Type, slot: Int
  ) -> Value? {
    guard trace.expected == ObjectIdentifier(owner),
      let property = try? ObjectTable.of(Swift.type(of: owner)).property(atSlot: slot)
    else {
      trace.isComputed = true
      return nil
    }
    trace.steps.append(
      KeyPathTrace.Step(name: property.name, owner: Swift.type(of: owner), type: type))
    trace.expected = nil
    return Value._probe(trace)
  }

  override func assigned<Value: Persistable>(
    _ path: AnyKeyPath?, slot: Int, old: Value, new: Value
  ) {
    trace.assigned = path
  }
}

extension KeyPathTrace {
  /// Reads an element of the collection that was read before, if it notes the reads of a key path.
  static func read(element: ObjectBase?, _ read: (ObjectBase) -> Void) {
    guard let element, let recorder = element._extra as? KeyPathRecorder else { return }
    recorder.trace.collectionSteps = recorder.trace.steps.count
    read(element)
  }
}

/// A key path that names no property of a store.
public struct KeyPathError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the names of the class and the path.
  public let description: String
}

/// The names of key paths, each found once.
///
/// `@unchecked Sendable`: key paths of properties hold no values.
private final class KnownKeyPaths: @unchecked Sendable {
  static let shared = KnownKeyPaths()

  private let lock = Mutex<Void>(())
  private var names: [Key: String] = [:]

  struct Key: Hashable {
    let root: ObjectIdentifier
    let path: AnyKeyPath
  }

  subscript(key: Key) -> String? {
    get { lock.withLock { _ in names[key] } }
    set { lock.withLock { _ in names[key] = newValue } }
  }
}

/// Returns the dotted name of a key path from a class: `owner.name`. Errors: `KeyPathError` for a path to what is no
/// `@Persisted` property.
func propertyName<Root: ObjectBase>(of path: PartialKeyPath<Root>, from root: Root.Type) throws
  -> String
{
  let key = KnownKeyPaths.Key(root: ObjectIdentifier(root), path: path)
  if let name = KnownKeyPaths.shared[key] { return name }
  let trace = KeyPathTrace()
  let instance = trace.instance(of: root)
  let value = instance[keyPath: path]
  if trace.steps.isEmpty, let name = try ObjectTable.of(root).plainName(of: value, in: instance) {
    KnownKeyPaths.shared[key] = name
    return name
  }
  guard trace.isProperty(path, of: instance, value) else { throw trace.error(of: path, root) }
  KnownKeyPaths.shared[key] = trace.name
  return trace.name
}

/// Returns the dotted name of the last property that the path of a projection's field reads, and whether the field is a
/// value that is computed of it: `lastName` for `\Person.lastName.localizedUppercase`, and `friends` for what is computed
/// of several properties of each friend. Errors: `KeyPathError` for a path that reads no property, or several.
func projectedName<Root: ObjectBase>(
  of path: PartialKeyPath<Root>, from root: Root.Type
) throws -> (name: String, isComputed: Bool) {
  let trace = KeyPathTrace()
  let instance = trace.instance(of: root)
  let value = instance[keyPath: path]
  if trace.isComputed, value is any CollectionOfProjected, let name = trace.collectionName {
    return (name, true)
  }
  let (steps, components) = (trace.steps.count, componentCount(of: path))
  guard !trace.isComputed, steps == 1 || 1...components ~= steps else {
    throw trace.error(of: path, root)
  }
  // A path over links that goes on after the property has more components than it reads properties.
  let isWhole = steps == 1 || steps == components || value is any CollectionOfProjected
  return (trace.name, !isWhole || !trace.isProperty(path, of: instance, value))
}

extension KeyPathTrace {
  /// The dotted name of the property that was read last.
  fileprivate var name: String { steps.map(\.name).joined(separator: ".") }

  /// The dotted name of the collection of which an element is read; nil without one.
  fileprivate var collectionName: String? {
    collectionSteps.map { steps.prefix($0).map(\.name).joined(separator: ".") }
  }

  /// Whether a path, which has been read from an instance, is that to a property.
  fileprivate func isProperty<Root: ObjectBase>(
    _ path: PartialKeyPath<Root>, of instance: Root, _ value: Any
  ) -> Bool {
    guard !isComputed, let last = steps.last,
      unwrapped(type(of: path).valueType) == unwrapped(last.type)
        || value is any CollectionOfProjected
    else { return false }
    return steps.count > 1
      ? steps.count <= componentCount(of: path) : isAccessor(path, of: instance, self, value)
  }

  fileprivate func error(of path: AnyKeyPath, _ root: ObjectBase.Type) -> KeyPathError {
    KeyPathError(
      description: "the key path from '\(root.className)' to a value of type "
        + "'\(type(of: path).valueType)', which reads \(steps.isEmpty ? "nothing" : "'\(name)'"), "
        + "is no @Persisted property, nor a path over links to one")
  }
}

/// Returns the name of a key path; stops the program if it names no property.
package func requiredName<Root: ResultElement>(of path: PartialKeyPath<Root>) -> String {
  do {
    return try Root._name(of: path)
  } catch {
    stopProgram("\(error)")
  }
}

/// Returns the dotted name of the one property that a computed property of a class, or of a projection, reads, from the
/// objects' class; nil for one that is not computed, or reads none or several.
func computedSource<Root: ResultElement>(of path: PartialKeyPath<Root>) -> String? {
  if let name = try? Root._name(of: path), (try? Root._path(of: name)) != nil { return nil }
  let trace = KeyPathTrace()
  let instance = Root._instance(trace.instance(of: Root._rootType()))
  _ = instance[keyPath: path]
  return trace.isComputed || trace.steps.isEmpty ? nil : trace.name
}

/// The number of components in a key path's text, `\Dog.owner?.name`; a computed property that follows a link is one.
private func componentCount(of path: AnyKeyPath) -> Int {
  var depth = 0
  var count = 0
  for character in String(describing: path) {
    switch character {
    case "<", "(", "[": depth += 1
    case ">", ")", "]": depth -= 1
    case "." where depth == 0: count += 1
    case _: break
    }
  }
  return count
}

/// What a path of `projectTo` returns.
protocol CollectionOfProjected {}

/// Whether a path of one step is the property that it reads: a computed property may read one, too. An assignment
/// through the path says which property's accessor it leads to. Inherited properties are compared by their types
/// alone, since their accessors know the superclass's path.
private func isAccessor<Root: ObjectBase>(
  _ path: PartialKeyPath<Root>, of instance: Root, _ trace: KeyPathTrace, _ value: Any
) -> Bool {
  func assign<Value>(_ value: Value) -> Bool {
    guard let path = path as? ReferenceWritableKeyPath<Root, Value> else { return false }
    instance[keyPath: path] = value
    guard let assigned = trace.assigned else { return false }
    return assigned == path || type(of: assigned).rootType != Root.self
  }
  return _openExistential(value, do: assign)
}

private func unwrapped(_ type: any Any.Type) -> ObjectIdentifier {
  if let optional = type as? any OptionalType.Type { return ObjectIdentifier(optional.wrapped) }
  return ObjectIdentifier(type)
}

private protocol OptionalType { static var wrapped: any Any.Type { get } }

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}
