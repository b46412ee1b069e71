import HeraldModel
import HeraldObservation
import HeraldQuery

@testable import TestModel

/// The objects that tests name; a session has those that it is made with.
let (dog1, dog2, dog3) = (RuleSession.dog(1), RuleSession.dog(2), RuleSession.dog(3))
let (person, otherPerson) = (RuleSession.person(1), RuleSession.person(2))

/// A session over dogs with owners, for tests that name a rule: writes are closures, what was
/// delivered is lines of text.
final class RuleSession {
  static let dog = ClassID(1)
  static let person = ClassID(2)
  static let name = PropertyID(1)
  static let age = PropertyID(2)
  /// Dog → Person; Person → Person (`boss`).
  static let owner = PropertyID(3)
  /// Dog → list of Dog.
  static let siblings = PropertyID(4)
  /// Dog: a set of strings, a set and a map of Dog, a map of integers, and a value of any type.
  static let tags = PropertyID(5)
  static let friends = PropertyID(6)
  static let mates = PropertyID(7)
  static let scores = PropertyID(8)
  static let extra = PropertyID(12)
  /// Person: the dogs whose owner it is.
  static let dogs = PropertyID(10)

  let reader: ModelReader
  let observatory = Observatory()
  private var version = 1
  private var elements = 1
  private(set) var names: [TokenID: String] = [:]

  /// With dogs of these ages (Max, Rex and Leo) and so many persons. Only with `isMixed` dogs have a
  /// property of any type, by which everything is in reach.
  init(ages: [Int] = [], persons: Int = 0, isMixed: Bool = false) {
    let dogs = ClassSchema(
      id: Self.dog, name: "Dog",
      properties: [
        PropertySchema(id: Self.name, name: "name", type: PropertyType(.string)),
        PropertySchema(id: Self.age, name: "age", type: PropertyType(.int)),
        PropertySchema(id: Self.owner, name: "owner", type: PropertyType(.link(Self.person))),
        PropertySchema(
          id: Self.siblings, name: "siblings", type: PropertyType(.link(Self.dog), shape: .list)),
        PropertySchema(id: Self.tags, name: "tags", type: PropertyType(.string, shape: .set)),
        PropertySchema(
          id: Self.friends, name: "friends", type: PropertyType(.link(Self.dog), shape: .set)),
        PropertySchema(
          id: Self.mates, name: "mates", type: PropertyType(.link(Self.dog), shape: .map)),
        PropertySchema(id: Self.scores, name: "scores", type: PropertyType(.int, shape: .map)),
      ]
        + (isMixed
          ? [PropertySchema(id: Self.extra, name: "extra", type: PropertyType(.any))] : []))
    let owners = ClassSchema(
      id: Self.person, name: "Person",
      properties: [
        PropertySchema(id: Self.name, name: "name", type: PropertyType(.string)),
        PropertySchema(id: Self.age, name: "age", type: PropertyType(.int)),
        PropertySchema(id: Self.owner, name: "boss", type: PropertyType(.link(Self.person))),
        PropertySchema(
          id: Self.dogs, name: "dogs",
          type: PropertyType(.link(Self.dog), shape: .backlinks("owner"))),
      ])
    reader = ModelReader(RecordedState(schema: Schema(classes: [dogs, owners])))
    if ages.isEmpty && persons == 0 { return }
    write {
      for (name, age) in zip(["Max", "Rex", "Leo"], ages) { $0.addDog(name, age: age) }
      for name in ["Ann", "Bob"].prefix(persons) { $0.addPerson(name) }
    }
  }

  static func dog(_ number: ObjectNumber) -> ObjectID { ObjectID(dog, number) }
  static func person(_ number: ObjectNumber) -> ObjectID { ObjectID(person, number) }

  /// A path from Dog by property names: `owner.boss.name`.
  static func path(_ names: String) -> PropertyPath {
    var classID = dog
    var steps: [PropertyPath.Step] = []
    for name in names.split(separator: ".") {
      switch name {
      case "name": steps.append(PropertyPath.Step(classID, .property(Self.name)))
      case "age": steps.append(PropertyPath.Step(classID, .property(age)))
      case "siblings": steps.append(PropertyPath.Step(classID, .property(siblings)))
      case "friends": steps.append(PropertyPath.Step(classID, .property(friends)))
      case "mates": steps.append(PropertyPath.Step(classID, .property(mates)))
      case "siblingOf":
        steps.append(PropertyPath.Step(classID, .backlinks(origin: dog, property: siblings)))
      default:
        steps.append(PropertyPath.Step(classID, .property(owner)))
        classID = person
      }
    }
    return PropertyPath(root: dog, steps: steps)
  }

  static func older(than least: Int) -> BoundPredicate {
    BoundPredicate(dependencies: [path("age")]) { number, reader in
      guard case .int(let years) = reader.value(age, of: dog(number)) else { return false }
      return years > least
    }
  }

  @discardableResult
  func observe(_ name: String, _ target: ObservedTarget) -> TokenID {
    let token = observatory.register(target)
    names[token] = name
    return token
  }

  func invalidate(_ name: String) {
    for (token, other) in names where other == name { observatory.invalidate(token) }
  }

  /// Commits without taking the record.
  func commit(_ body: (inout RecordingTransaction) -> Void) -> CommitRecord {
    var write = RecordingTransaction(reader.state, nextElement: elements)
    body(&write)
    version += 1
    reader.state = write.state
    elements = write.elementCount
    return write.record(version: version)
  }

  func write(
    without silenced: [TokenID] = [], own: Bool = false,
    _ body: (inout RecordingTransaction) -> Void
  ) {
    let record = commit(body)
    observatory.take(record, silencing: Set(silenced), ownCommit: own, reader)
  }

  /// One round: what each token received. `during` runs after each call, with the token's name.
  @discardableResult
  func deliver(_ during: (String) -> Void = { _ in }) -> [String] {
    lines(of: observatory.beginRound(), during)
  }

  func deliverStore() -> [String] { lines(of: observatory.beginRound(isStoreOnly: true)) { _ in } }

  private func lines(of round: Round, _ during: (String) -> Void) -> [String] {
    var lines: [String] = []
    while let due = try? observatory.next(in: round, reader) {
      let name = names[due.token] ?? "?"
      lines.append("\(name): \(due.report.text)")
      during(name)
    }
    return lines
  }
}

extension RecordingTransaction {
  @discardableResult
  mutating func addDog(_ name: String, age: Int = 0) -> ObjectID {
    create(
      RuleSession.dog,
      RecordedObject(
        values: [
          RuleSession.name: .string(name), RuleSession.age: .int(age), RuleSession.owner: .null,
          RuleSession.extra: .null,
        ], lists: [RuleSession.siblings: []],
        sets: [RuleSession.tags: [], RuleSession.friends: []],
        maps: [RuleSession.mates: [:], RuleSession.scores: [:]]))
  }

  @discardableResult
  mutating func addPerson(_ name: String) -> ObjectID {
    create(
      RuleSession.person,
      RecordedObject(values: [
        RuleSession.name: .string(name), RuleSession.age: .int(30), RuleSession.owner: .null,
      ]))
  }

  mutating func setAge(_ object: ObjectID, _ age: Int) {
    set(RuleSession.age, of: object, to: .int(age))
  }

  mutating func setOwner(_ object: ObjectID, _ owner: ObjectID?) {
    set(RuleSession.owner, of: object, to: owner.map(Value.link) ?? .null)
  }

  mutating func addSibling(_ object: ObjectID, _ sibling: ObjectID) {
    let count = list(object, RuleSession.siblings).count
    insert([.link(sibling)], at: count, object, RuleSession.siblings)
  }
}

extension Report {
  var text: String {
    switch self {
    case .changed: "changed"
    case .refreshRequired: "refresh required"
    case .collection(.initial(let count)): "initial \(count)"
    case .deleted: "deleted"
    case .error(let error), .collection(.error(let error)): "error \(error)"
    case .change(let properties):
      "change "
        + properties.map { $0.hasValues ? "\($0.name) \($0.old.text)->\($0.new.text)" : $0.name }
        .joined(separator: ", ")
    case .collection(.mapUpdate(let changes, let ownerDeleted)):
      "-\(changes.deletions) +\(changes.insertions) ~\(changes.modifications)"
        + (ownerDeleted ? " owner deleted" : "")
    case .property(let name, let old, let new): "\(name) \(old.text)->\(new.text)"
    case .propertyRows(let name, let kind, let rows): "\(name) \(kind) \(rows)"
    case .invalidated(let name): name
    case .rows(let delivered): delivered.changes.text
    case .value(let old, let new, let isLast):
      "\(old.text)->\(new.text)" + (isLast ? " last" : "")
    case .sections(let changes, let ownerDeleted):
      "sections -\(changes.sectionDeletions) +\(changes.sectionInsertions) \(changes.rows.text)"
        + (ownerDeleted ? " owner deleted" : "")
    case .collection(.update(let changes, let ownerDeleted)):
      changes.text + (ownerDeleted ? " owner deleted" : "")
    }
  }
}

extension ChangeSet {
  fileprivate var text: String {
    "-\(deletions) +\(insertions) "
      + "~\(zip(modifications, modificationsNew).map { "\($0)>\($1)" })"
      + (moves.isEmpty ? "" : " moves \(moves.map { "\($0.old)>\($0.new)" })")
  }
}

extension Value {
  fileprivate var text: String {
    switch self {
    case .null: "nil"
    case .int(let value): "\(value)"
    case .string(let value): value
    case .link(let target): "\(target.classID.rawValue)#\(target.number)"
    case .bool, .float, .double, .data, .date, .decimal, .uuid, .objectID, .list, .map: "\(self)"
    }
  }
}
