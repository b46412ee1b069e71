import Foundation
import Herald

@testable import HeraldShell
@testable import TestModel

/// Objects by their keys, which the shell prints in place of numbers. After a deletion a key may belong to another
/// object, so that it means an object at one version only.
typealias ShellKeys = [ClassID: [Value: ObjectID]]

/// Sessions of the shell: commands are statements, run by an interpreter, and what it prints is read
/// again. After each statement every session's turn ends.
final class ShellLevel: ModelLevel {
  private let sink = LineSink()
  private let interpreter: Interpreter
  private(set) var schema = ModelSchema(classes: [])
  private var links: [String: ShellLink] = [:]
  /// The objects that there are, by their keys: in the open transaction, or else at the newest version.
  var keyed = ShellKeys()
  /// The same at each version whose objects differ from those of the version before.
  private var keyedAt: [Int: ShellKeys] = [:]
  private var keys: [ObjectID: Value] = [:]
  /// The highest number given of each class.
  private var issued: [ClassID: Int] = [:]

  init() {
    var options = Interpreter.Options()
    (options.mode, options.keepsGoing) = (.json, true)
    interpreter = Interpreter(options: options, sink: sink)
  }

  let abilities: Set<ModelAbility> = [.notifiesAtOnce, .endsTurns, .plainSchemas]

  var version: Int { interpreter.main.store?.version ?? 0 }

  var faults: [String] { interpreter.main.store?.check() ?? ["there is no store"] }

  func finish() { interpreter.finish() }

  func declare(_ schema: ModelSchema) throws -> [ClassID] {
    _ = try run(schema.description)
    let declared = interpreter.main.store?.schema
    let ids = schema.classes.compactMap { declared?.classSchema(named: $0.name)?.id }
    self.schema = schema
    self.schema.ids = ids
    return ids
  }

  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) throws -> (link: any ModelLink, version: Int) {
    let name = links.isEmpty ? "main" : name
    let link = ShellLink(name, self, callBack)
    links[name] = link
    _ = try run(link.prefix + "print 1")
    return (link, try version(of: name))
  }

  func version(of session: String) throws -> Int {
    let sessions = try run("sessions").compactMap { $0["sessions"] as? [[String: Any]] }.first ?? []
    return sessions.first { $0["session"] as? String == session }?["version"] as? Int ?? -1
  }

  /// Runs a statement, keeps the events that it printed for their sessions, and returns the rest.
  func run(_ statement: String) throws -> [[String: Any]] {
    interpreter.run(Source(name: "model", text: statement + "\n"))
    let (lines, errors) = sink.take()
    if let error = errors.first {
      let isDuplicate = error.contains("exists already")
      throw ModelRefusal(
        reason: isDuplicate ? .duplicateKey : .other, words: "\(statement): \(error)")
    }
    var results: [[String: Any]] = []
    for line in lines {
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      guard json["event"] != nil else {
        results.append(json)
        continue
      }
      guard let link = (json["session"] as? String).flatMap({ links[$0] }) else {
        throw ModelRefusal(reason: .other, words: "an event of nobody: \(line)")
      }
      link.events.append(json)
    }
    return results
  }

  /// The object that was added with these contents: numbers follow each other.
  func added(_ className: String, _ given: [ModelGiven]) -> ObjectID {
    let type = schema.classes.firstIndex { $0.name == className } ?? 0
    let classID = schema.ids[type]
    issued[classID, default: 0] += 1
    let id = ObjectID(classID, issued[classID, default: 0])
    let key = schema.classes[type].primaryKey.map { schema.classes[type].properties[$0].name }
    if let key, let found = given.first(where: { $0.property == key }),
      case .value(let value) = found.content
    {
      keys[id] = value
      keyed[classID, default: [:]][value] = id
    }
    return id
  }

  /// Notes that an object was deleted, whose key another may get.
  func deleted(_ id: ObjectID) {
    if let key = keys[id], keyed[id.classID]?[key] == id { keyed[id.classID]?[key] = nil }
  }

  /// Notes that a transaction was committed as a version.
  func committed(_ version: Int) { keyedAt[version] = keyed }

  /// The objects by their keys at a version.
  func keyed(at version: Int) -> ShellKeys {
    keyedAt.keys.filter { $0 <= version }.max().flatMap { keyedAt[$0] } ?? [:]
  }

  // MARK: - Names and values

  func name(_ id: ObjectID) -> String {
    let name = schema.place(of: id.classID).map { schema.classes[$0].name } ?? ""
    return "\(name)#\(keys[id]?.literal ?? "\(id.number)")"
  }

  func text(_ value: Value) -> String { value.literal(name) }

  func text(_ content: ModelGiven.Content) -> String {
    switch content {
    case .value(let value): text(value)
    case .list(let values): text(Value.list(values))
    case .map(let entries): text(Value.map(entries))
    }
  }

  /// The object of a link, or of a row: its class, and its key or number.
  func object(_ json: Any, _ keyed: ShellKeys) throws -> ObjectID {
    guard let json = json as? [String: Any], let name = json["class"] as? String,
      let type = schema.classes.firstIndex(where: { $0.name == name }), let key = json["key"]
    else { throw ModelRefusal(reason: .other, words: "no object: \(json)") }
    let classID = schema.ids[type]
    guard let property = schema.classes[type].primaryKey else {
      return ObjectID(classID, (key as? NSNumber)?.intValue ?? 0)
    }
    let value = try value(key, schema.classes[type].properties[property], keyed)
    return keyed[classID]?[value] ?? ObjectID(classID, 0)
  }

  /// A value, an element of a collection, as JSON has it.
  func value(
    _ json: Any, _ property: ModelSchema.Property, _ keyed: ShellKeys
  ) throws -> Value {
    if json is NSNull { return .null }
    if property.target != nil { return .link(try object(json, keyed)) }
    let text = json as? String ?? ""
    let number = json as? NSNumber
    let value: Value? =
      switch property.element {
      case .bool: number.map { .bool($0.boolValue) }
      case .int: number.map { .int($0.intValue) }
      case .float: number.map { .float($0.floatValue) }
      case .double: number.map { .double($0.doubleValue) }
      case .string: json is String ? .string(text) : nil
      case .data: [UInt8](base64: text).map { .data($0) }
      case .date: Timestamp(iso8601: text).map { .date($0) }
      case .decimal: Decimal128(text).map { .decimal($0) }
      case .uuid: UniqueID(text).map { .uuid($0) }
      case .objectID: DocumentID(text).map { .objectID($0) }
      case .any, .link: nil
      }
    guard let value else { throw ModelRefusal(reason: .other, words: "no value: \(json)") }
    return value
  }

  func rows(
    _ json: Any?, _ property: ModelSchema.Property, _ keyed: ShellKeys
  ) throws -> ModelRows {
    if let entries = json as? [String: Any] {
      let keys = entries.keys.sorted()
      return ModelRows(
        try keys.map { try value(entries[$0] ?? NSNull(), property, keyed) }, keys: keys)
    }
    return ModelRows(try (json as? [Any] ?? []).map { try value($0, property, keyed) })
  }
}

/// Collects the lines that are printed until they are taken.
private final class LineSink: OutputSink {
  private var output = ""
  private var errors = ""

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    output += text
    return text.endIndex
  }
  func writeError(_ text: String) { errors += text }

  func take() -> (output: [Substring], errors: [Substring]) {
    defer { (output, errors) = ("", "") }
    return (output.split(separator: "\n"), errors.split(separator: "\n"))
  }
}
