import HeraldModel
import HeraldQuery
@_spi(Reflection) import Swift
import Synchronization

/// The fields of a class of projections, found once by reflection.
///
/// `@unchecked Sendable`: immutable, and key paths of properties hold no values.
final class ProjectionTable: @unchecked Sendable {
  struct Field {
    let name: String
    /// The dotted names from the projected class.
    let path: String
    /// Whether the value is computed of the property at the end of the path.
    let isComputed: Bool
    let keyPath: AnyKeyPath
    let read: (ObjectBase) -> Any
    /// The projection, in errors.
    let projection: String
  }

  let name: String
  let fields: [Field]

  private static let tables = Mutex<[ObjectIdentifier: ProjectionTable]>([:])

  /// Returns the table of a class, which is made at its first use. Errors: `SchemaError`, `KeyPathError`.
  static func of(_ type: any ProjectionElement.Type) throws -> ProjectionTable {
    let key = ObjectIdentifier(type)
    if let table = tables.withLock({ $0[key] }) { return table }
    let table = try ProjectionTable(reflecting: type)
    tables.withLock { $0[key] = table }
    return table
  }

  /// Finds the fields of a class in the records that the compiler writes, superclasses first.
  private init(reflecting type: any ProjectionElement.Type) throws {
    let projection = String(describing: type)
    let instance: AnyObject = type._instance(type._rootType().init())
    var fields: [Field] = []
    var hasRecords = false
    var failure: (any Error)?
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
      let name = String(cString: name)
      if name == "rootObject" { hasRecords = true }
      guard let wrapper = type as? any ProjectedWrapper.Type else { return true }
      do {
        fields.append(try Field(name, at: offset, wrapper, of: instance, projection))
      } catch {
        failure = failure ?? error
      }
      return true
    }
    if let failure { throw failure }
    guard hasRecords, fields.allSatisfy({ !$0.name.isEmpty }) else {
      throw SchemaError(
        "projection '\(projection)' was compiled without reflection records: remove "
          + "'-disable-reflection-metadata'")
    }
    self.name = projection
    self.fields = fields
  }

  /// Returns a field. Errors: `unknownField`.
  func field(named name: String) throws -> Field {
    if let field = fields.first(where: { $0.name == name }) { return field }
    throw HeraldError.unknownField(
      name, projection: self.name, nearest: nearestName(to: name, in: fields.map(\.name)))
  }

  /// The definition for a class's name in a store.
  func definition(of className: String) -> ProjectionDefinition {
    ProjectionDefinition(
      name: name, className: className, fields: fields.map { (name: $0.name, path: $0.path) })
  }

  /// The names for queries: the fields that are not computed, and the properties of the projected class that no field is
  /// named like.
  func definitionForQueries(of root: ObjectTable) -> ProjectionDefinition {
    let names = Set(fields.map(\.name))
    let properties = root.properties.flatMap { [$0.label, $0.name] }.filter { !names.contains($0) }
    return ProjectionDefinition(
      name: name, className: root.className,
      fields: fields.filter { !$0.isComputed }.map { (name: $0.name, path: $0.path) }
        + properties.map { (name: $0, path: $0) })
  }
}

extension ProjectionTable.Field {
  fileprivate init<Wrapper: ProjectedWrapper>(
    _ name: String, at offset: Int, _ wrapper: Wrapper.Type, of instance: AnyObject,
    _ projection: String
  ) throws {
    let wrapper = Unmanaged.passUnretained(instance).toOpaque().advanced(by: offset)
      .assumingMemoryBound(to: Wrapper.self).pointee
    self.name = name.hasPrefix("_") ? String(name.dropFirst()) : ""
    (path, isComputed) = try wrapper.name()
    keyPath = wrapper.anyPath
    read = wrapper.read
    self.projection = projection
  }

  private var steps: [String] { path.split(separator: ".").map(String.init) }

  /// The field in a description.
  func text(of object: ObjectBase) -> String {
    switch read(object) {
    case let value as any Persistable: value._text
    case let value: String(describing: value)
    }
  }

  /// The type of the values at the end of the path.
  func elementType(from root: ObjectBase.Type) -> (any PersistableElement.Type)? {
    let properties = try? ObjectTable.properties(at: path, from: root)
    return properties?.last?.type as? any PersistableElement.Type
  }

  /// The value of a computed field where the property at the end of the path has another value.
  func computed(of value: Any, from root: ObjectBase.Type) -> Any? {
    guard let properties = try? ObjectTable.properties(at: path, from: root) else { return nil }
    let instance = root.init()
    var owner = instance
    for property in properties.dropLast() {
      guard let next = property.objectType?.init(), property.assign(next, to: owner) else {
        return nil
      }
      owner = next
    }
    guard properties.last?.assign(value, to: owner) ?? false else { return nil }
    return PropertyChange.unwrapped(read(instance))
  }

  /// Assigns the property at the end of the path, which leads over links.
  func assign(_ value: Any, of root: ObjectBase) {
    if isComputed {
      stopProgram("field '\(name)' of projection '\(projection)' is read-only: it is computed")
    }
    if let core = root._binding?.core, !core.isInWrite {
      stopProgram(
        "field '\(name)' of projection '\(projection)' is assigned outside a write transaction")
    }
    var steps = steps
    let last = steps.removeLast()
    var owner: ObjectBase? = root
    for step in steps {
      guard let object = owner, let property = property(step, of: object) else { break }
      if property.definition.shape != .single {
        stopProgram(
          "field '\(name)' of projection '\(projection)' is read-only: its path leads through a "
            + "collection")
      }
      owner = property.value(of: object) as? ObjectBase
    }
    guard let owner, let property = property(last, of: owner),
      property.assign(value, to: owner)
    else { return fail(root) }
  }

  private func property(_ name: String, of object: ObjectBase) -> ObjectTable.Property? {
    (try? ObjectTable.of(type(of: object)))?.property(named: name)
  }

  private func fail(_ root: ObjectBase) {
    let error = HeraldError.fieldReadOnly(name, projection: projection)
    guard let core = root._binding?.core else { stopProgram("\(error)") }
    core.attempt("field '\(name)' of a projection", is: "assigned") { throw error }
  }
}
