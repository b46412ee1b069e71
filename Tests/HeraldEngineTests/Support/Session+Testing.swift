import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage
import Testing

@testable import HeraldEngine

/// Returns the text of the error that `body` throws.
func errorText(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}

extension Session {
  /// Returns a session of a new store with some classes; in memory, unless there is a path.
  static func made(_ classes: ClassDefinition..., at path: String? = nil) throws -> Session {
    let session = try Session(path: path, readOnly: false)
    try session.write { for definition in classes { try session.declare(definition) } }
    return session
  }

  /// Follows a stream of which the store has nothing yet.
  func follow(_ stream: String, with replicator: any CommitReplicator) throws {
    let write = try hub.environment.beginWrite()
    write.keepVersion()
    try write.setMetadata(
      StreamPosition.name, StreamPosition(stream: stream, sequence: 0).encoded)
    _ = try write.commit()
    hub.replicator = replicator
  }

  /// The open write.
  var open: OpenWrite {
    get throws {
      guard let write = writing.open else { throw HeraldError.noOpenWrite }
      return write
    }
  }

  /// Adds an object; a list or a map is the content of a property that is one.
  @discardableResult
  func add(_ className: String, _ values: (String, Value)...) throws -> ObjectID {
    try add(named: className, values)
  }

  @discardableResult
  func add(named className: String, _ values: [(String, Value)]) throws -> ObjectID {
    let classSchema = try declaredClass(className)
    return try add(
      classSchema, values.map { ($0, PropertyContent(elementsOf: $1)) },
      asEmbedded: classSchema.isEmbedded)
  }

  func set(_ object: ObjectID, _ values: (String, Value)...) throws {
    try set(object, values.map { ($0, PropertyContent(elementsOf: $1)) })
  }

  /// Edits a collection, or what is nested in a property at the path `steps`.
  func edit(
    _ object: ObjectID, _ name: String, inside steps: [ValueStep]? = nil, _ edit: CollectionEdit
  ) throws {
    let property = try property(name, of: object)
    guard let steps else { return try change(property, of: object, edit) }
    try change(property, of: object, inside: steps, edit)
  }

  func declaredClass(_ name: String) throws -> ClassSchema {
    try #require(self.classSchema(named: name))
  }

  func property(_ name: String, of object: ObjectID) throws -> PropertySchema {
    try #require(schema.classSchema(object.classID)?.property(named: name))
  }

  /// Reads a property of any shape: a list and a set as a list, a map as a map.
  func read(_ name: String, of object: ObjectID) throws -> Value {
    let property = try property(name, of: object)
    if property.type.shape == .single { return reader.value(property.id, of: object) }
    let contents = reader.contents(property.id, property.type.shape, of: object)
    return property.type.shape == .map
      ? .map(MapEntries(zip(contents.keys, contents.elements))) : .list(contents.elements)
  }

  /// The objects of a class, in order of creation.
  func objects(_ className: String) throws -> [ObjectID] {
    let classSchema = try declaredClass(className)
    return (0..<reader.blockCount(of: classSchema.id)).flatMap { block in
      BlockBits(reader.presence(of: classSchema.id, block: block)).map {
        ObjectID(classSchema.id, block * blockSize + $0)
      }
    }
  }

  /// Commits a write, and returns its changes as the log has them.
  func changes(_ body: () throws -> Void) throws -> String {
    try write(body)
    let record = try loggedCommit(version).record
    #expect(record.violations == [])
    return record.text(schema)
  }
}

extension CommitRecord {
  /// The net changes, a line for each object or property; "nothing" without any.
  func text(_ schema: Schema) -> String {
    var lines: [String] = []
    for (classID, change) in classes.sorted(by: { $0.key < $1.key }) {
      let classSchema = ClassSchema.ofNested(classID) ?? schema.classSchema(classID)
      let name = classSchema?.name ?? "class \(classID.rawValue)"
      if !change.created.isEmpty {
        lines.append("\(name): created \(Array(change.created.numbers))")
      }
      if !change.deleted.isEmpty {
        lines.append("\(name): deleted \(change.deleted.keys.sorted())")
      }
      for (property, delta) in change.properties.sorted(by: { $0.key < $1.key }) {
        let path = "." + (classSchema?.property(property)?.name ?? "\(property.rawValue)")
        lines += delta.texts.map { "\(name)#\($0)\(path) \($1)" }
      }
    }
    return lines.isEmpty ? "nothing" : lines.joined(separator: "\n")
  }
}

extension PropertyDelta {
  /// What changed of each object.
  fileprivate var texts: [(Int, String)] {
    let texts: [(Int, String)] =
      switch self {
      case .values(let values): values.map { ($0, "was \($1.text)") }
      case .lists(let lists): lists.map { ($0, $1.text) }
      case .sets(let sets):
        sets.map { ($0, "inserted \($1.inserted.text), removed \($1.removed.text)") }
      case .maps(let maps):
        maps.map {
          (
            $0,
            "inserted \(Array($1.inserted).sorted()), removed \(Value.map($1.removed).text), "
              + "changed \(Value.map($1.modified).text)"
          )
        }
      }
    return texts.sorted { $0.0 < $1.0 }
  }
}

extension ListDelta {
  fileprivate var text: String {
    let changes = changeSet()
    let moves = changes.moves.map { "\($0.old) to \($0.new)" }
    return "inserted \(changes.insertions), removed \(changes.deletions), "
      + "changed \(changes.modificationsNew), moved \(moves)"
  }
}

extension Set<Value> {
  fileprivate var text: String { Value.list(sorted { Value.order($0, $1) < 0 }).text }
}

extension Value {
  /// The value as a literal; a link as its class and number.
  var text: String { literal { "\($0.classID.isNested ? "nested" : "#")\($0.number)" } }
}
