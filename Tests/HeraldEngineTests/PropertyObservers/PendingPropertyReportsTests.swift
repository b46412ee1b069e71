import HeraldModel
import HeraldObservation
import Testing

@testable import HeraldEngine

/// What property observers are to receive is kept by assignment until the statement ends, and delivered in order.
@Suite struct PendingPropertyReportsTests {
  private func report(_ name: String) -> OpenWrite.PendingPropertyReport {
    OpenWrite.PendingPropertyReport(
      object: ObjectID(ClassID(1), 1), property: PropertyID(1), report: .invalidated(name: name))
  }

  private func delivery(_ number: Int) -> (token: TokenID, report: Report) {
    (TokenID(rawValue: number), .invalidated(name: "\(number)"))
  }

  private func deliver(_ pending: inout PendingPropertyReports) -> [Int] {
    var numbers: [Int] = []
    while let (token, _) = pending.next() { numbers.append(token.rawValue) }
    return numbers
  }

  @Test func `reports are grouped by assignment`() {
    var pending = PendingPropertyReports()
    #expect(pending.isEmpty)
    pending.note(report("a"))
    pending.note(report("b"))
    pending.endAssignment()
    // An assignment that nobody observes leaves no group.
    pending.endAssignment()
    pending.note(report("c"))
    #expect(!pending.isEmpty)
    let assignments = pending.takeAssignments()
    #expect(
      assignments.map { $0.map(\.report) } == [
        [.invalidated(name: "a"), .invalidated(name: "b")], [.invalidated(name: "c")],
      ])
    #expect(pending.isEmpty && pending.takeAssignments().map(\.count) == [0])
  }

  @Test func `what a block adds comes after what was pending`() {
    var pending = PendingPropertyReports()
    pending.add([delivery(1), delivery(2)])
    #expect(pending.next()?.token == TokenID(rawValue: 1))
    pending.add([delivery(3)])
    #expect(!pending.isEmpty)
    #expect(deliver(&pending) == [2, 3])
    #expect(pending.isEmpty && pending.next() == nil)
    pending.add([delivery(4)])
    #expect(deliver(&pending) == [4])
  }

  @Test func `a rollback forgets everything but the error`() {
    var pending = PendingPropertyReports()
    pending.add([delivery(1), delivery(2)])
    _ = pending.next()
    pending.note(report("a"))
    pending.fail(HeraldError.interrupted)
    pending.forget()
    #expect(pending.next() == nil && !pending.isEmpty)
    #expect(pending.takeFailure() as? HeraldError == .interrupted)
    #expect(pending.isEmpty)
    pending.add([delivery(3)])
    #expect(deliver(&pending) == [3])
  }

  @Test func `the first error is the statement's`() {
    var pending = PendingPropertyReports()
    pending.fail(HeraldError.closed)
    pending.fail(HeraldError.interrupted)
    #expect(!pending.isEmpty)
    #expect(pending.takeFailure() as? HeraldError == .closed)
    #expect(pending.takeFailure() == nil)
  }

  @Test func `blocks nest as deep as the limit, and beyond it nothing is delivered until all end`()
    throws
  {
    var pending = PendingPropertyReports()
    for _ in 0..<PendingPropertyReports.depthLimit { try pending.enter() }
    #expect(!pending.isStopped)
    do {
      try pending.enter()
      Issue.record("no error")
    } catch {
      #expect(error.message == "property observers notify one another more than 64 levels deep")
    }
    #expect(pending.isStopped)
    for _ in 1..<PendingPropertyReports.depthLimit { pending.leave() }
    #expect(pending.isStopped)
    pending.leave()
    #expect(!pending.isStopped)
  }

  // MARK: Estimates of memory

  /// A value, and the memory of its record.
  struct Size: Sendable {
    let value: Value
    let bytes: Int
  }

  static let sizes = [
    Size(value: .null, bytes: 64), Size(value: .int(7), bytes: 64),
    Size(value: .string("fifteen letters"), bytes: 64),
    Size(value: .string("sixteen letters!"), bytes: 64 + 32 + 16),
    Size(value: .data([1, 2, 3]), bytes: 64 + 32 + 3),
    Size(value: .list([.int(1), .data([1])]), bytes: 64 + 32 + 32 + 32 + 33),
    Size(value: .map(["k": .int(1)]), bytes: 64 + 32 + 64),
  ]

  @Test(arguments: sizes)
  func `the memory of an old value grows with what it has on the heap`(_ size: Size) {
    #expect(size.value.memoryOfRecord == size.bytes)
  }

  @Test func `the memory of a deleted object is that of its values, elements, keys and links`() {
    let link = OutgoingLink(property: PropertyID(1), target: ObjectID(ClassID(1), 1))
    let object = DeletedObject(
      key: .null, links: [link, link], values: [PropertyID(2): .int(1)],
      collections: [
        PropertyID(3): CollectionContents(elements: [.int(1), .int(2)], keys: ["a", "b"])
      ])
    #expect(object.memory == 64 + 128 + 2 * 48 + 2 * 64 + 2 * 32)
    #expect(DeletedObject(key: .null).memory == 0)
  }
}
