import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// Observers of a property are notified of each assignment when its statement ends, in the order in which they were
/// registered (observation 8.1, 8.2), and of the reverse if the write is rolled back (observation 8.5).
@Suite struct PropertyReportTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
      .init(name: "size", element: .int, defaultValue: .value(.int(0))),
      .init(name: "friend", element: .link("Dog")),
      .init(name: "list", element: .link("Dog"), shape: .list),
      .init(name: "set", element: .int, shape: .set), .init(name: "any", element: .any),
    ])

  /// What observers have received, in order.
  private final class Log {
    var lines: [String] = []

    /// Removes and returns the lines.
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private let session: Session
  private let dogs: [ObjectID]
  private let log = Log()

  init() throws {
    session = try Session.made(Self.dog)
    let session = session
    dogs = try session.write { try (0..<3).map { _ in try session.add("Dog") } }
  }

  /// Observes a property, or with nil the deletion of a dog; `block` runs after the report is noted.
  @discardableResult
  private func observe(
    _ index: Int, _ name: String?, _ block: @escaping () throws -> Void = {}
  ) throws -> TokenID {
    let dog = dogs[index]
    let target: ObservedTarget =
      if let name {
        .property(dog, try session.property(name, of: dog).id)
      } else {
        .invalidated(dog, name: "invalidated")
      }
    return try session.observe(
      target,
      BlockReceiver { [log] report in
        log.lines.append("\(index + 1).\(report.text)")
        try block()
      })
  }

  @Test func `every assignment is reported, an equal one too, with the value before`() throws {
    try observe(0, "age")
    try session.write {
      try session.set(dogs[0], ("age", .int(1)))
      #expect(log.take() == ["1.age: 0 to 1"])
      try session.set(dogs[0], ("age", .int(1)))
      #expect(log.take() == ["1.age: 1 to 1"])
      try session.set(dogs[0], ("size", .int(1)))
      try session.set(dogs[1], ("age", .int(1)))
    }
    #expect(log.take() == [])
  }

  @Test func `the properties of a statement are reported in its order, when it is complete`() throws
  {
    let (session, dogs) = (session, dogs)
    var sizes: [Value] = []
    try observe(0, "size")
    try observe(0, "age") { sizes.append(try session.read("size", of: dogs[0])) }
    try observe(0, "age")
    try session.write { try session.set(dogs[0], ("age", .int(1)), ("size", .int(2))) }
    #expect(log.take() == ["1.age: 0 to 1", "1.age: 0 to 1", "1.size: 0 to 2"])
    #expect(sizes == [.int(2)])
  }

  @Test func `changes of collections are reported with their rows`() throws {
    try observe(0, "list")
    try observe(0, "set")
    try observe(0, "any")
    let links = [dogs[1], dogs[2], dogs[1]].map { Value.link($0) }
    try session.write {
      try session.edit(dogs[0], "list", .insert(links, at: 0))
      try session.edit(dogs[0], "list", .move(from: 2, to: 0))
      try session.edit(dogs[0], "list", .replace(at: 1, with: links[1]))
      try session.edit(dogs[0], "list", .remove(at: 2))
      try session.edit(dogs[0], "set", .insertValue(.int(1)))
      // It has no effect, and is no assignment.
      try session.edit(dogs[0], "set", .insertValue(.int(1)))
      try session.set(dogs[0], ("any", .list([.int(1)])), ("list", .list([])))
      try session.edit(dogs[0], "any", inside: [], .insert([.int(2)], at: 0))
    }
    #expect(
      log.take() == [
        "1.list: insertion [0, 1, 2]", "1.list: replacement [0, 1, 2]", "1.list: replacement [1]",
        "1.list: removal [2]", "1.set: setting []", "1.any: nil to [1]", "1.list: setting []",
        "1.any: [1] to [2, 1]",
      ])
  }

  @Test func `a deletion is reported when all objects of the statement are deleted`() throws {
    let (session, dogs) = (session, dogs)
    try session.write {
      try session.set(
        dogs[0], ("friend", .link(dogs[1])),
        ("list", .list([.link(dogs[1]), .link(dogs[0]), .link(dogs[2])])))
    }
    var remaining: [Int] = []
    try observe(0, "friend") { remaining.append(try session.objects("Dog").count) }
    try observe(0, "list")
    try observe(1, nil)
    try observe(1, "age")
    try session.write { try session.delete([dogs[1], dogs[2]]) {} }
    #expect(
      log.take() == [
        "1.friend: #2 to nil", "1.list: removal [0, 2]", "2.invalidated",
      ])
    #expect(remaining == [1])
  }

  @Test func `a rollback reports the reverse of each net change`() throws {
    try session.write { try session.set(dogs[0], ("list", .list([.link(dogs[1])]))) }
    for name in ["age", "size", "list", "set"] { try observe(0, name) }
    try observe(1, nil)
    try session.beginWrite(byHand: true)
    try session.set(dogs[0], ("age", .int(1)), ("size", .int(1)))
    try session.set(dogs[0], ("age", .int(2)), ("size", .int(0)))
    try session.edit(dogs[0], "set", .insertValue(.int(1)))
    try session.edit(dogs[0], "list", .insert([.link(dogs[2])], at: 1))
    try session.delete(dogs[1])
    _ = log.take()
    try session.rollback()
    #expect(
      log.take() == [
        "1.age: 2 to 0", "1.list: setting []", "1.set: setting []", "2.invalidated: true to false",
      ])
  }

  @Test func `an error of a block fails the statement, and the others are notified first`() throws {
    try observe(0, "age") { throw HeraldError.interrupted }
    try observe(0, "age")
    let (session, dogs) = (session, dogs)
    let text = errorText { try session.write { try session.set(dogs[0], ("age", .int(1))) } }
    #expect(text == "interrupted")
    #expect(try session.read("age", of: dogs[0]) == .int(0))
    #expect(log.take().prefix(2) == ["1.age: 0 to 1", "1.age: 0 to 1"])
  }

  @Test func `what a block assigns is reported before the statement ends`() throws {
    let (session, dogs) = (session, dogs)
    try observe(0, "age") { try session.set(dogs[1], ("age", .int(7))) }
    try observe(1, "age") { try session.set(dogs[2], ("size", .int(8))) }
    try observe(2, "size")
    try session.write {
      try session.set(dogs[0], ("age", .int(1)))
      #expect(log.take() == ["1.age: 0 to 1", "2.age: 0 to 7", "3.size: 0 to 8"])
    }
  }

  @Test func `blocks that assign what they observe come to an end with an error`() throws {
    let (session, dogs) = (session, dogs)
    try observe(0, "age") {
      guard case .int(let age) = try session.read("age", of: dogs[0]) else { return }
      try session.set(dogs[0], ("age", .int(age + 1)))
    }
    let text = errorText { try session.write { try session.set(dogs[0], ("age", .int(1))) } }
    #expect(text == "property observers notify one another more than 64 levels deep")
    #expect(try session.read("age", of: dogs[0]) == .int(0))
    #expect(session.check() == [])
  }

  @Test func `a token that was released receives nothing more`() throws {
    let token = try observe(0, "age")
    try session.write { try session.set(dogs[0], ("age", .int(1))) }
    #expect(log.take() == ["1.age: 0 to 1"])
    session.dropped.note(token)
    try session.write { try session.set(dogs[0], ("age", .int(2))) }
    #expect(log.take() == [])
  }
}

extension Report {
  fileprivate var text: String {
    switch self {
    case .property(let name, let old, let new): "\(name): \(old.text) to \(new.text)"
    case .propertyRows(let name, let kind, let rows): "\(name): \(kind) \(rows)"
    case .invalidated(let name): name
    default: "\(self)"
    }
  }
}
