import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine

/// What the sessions of a store share: one hub for each store, which wakes them after the commits of others.
@Suite struct StoreHubTests {
  private static let dog = ClassDefinition(
    name: "Dog", properties: [.init(name: "age", element: .int, defaultValue: .value(.int(0)))])

  private final class Bell: Sendable {
    private let rung = Atomic(0)

    var count: Int { rung.load(ordering: .relaxed) }
    func ring() { rung.add(1, ordering: .relaxed) }
  }

  @Test func `each store has one hub in this process, and each in memory its own`() throws {
    try withFolder { folder in
      let first = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      let second = try Session(path: "\(folder)/a.hdb", readOnly: false)
      #expect(first.hub === second.hub)
      #expect(try first.sibling().hub === first.hub)
      #expect(try Session(path: "\(folder)/b.hdb", readOnly: false).hub !== first.hub)
      #expect(try first.apart().hub !== first.hub)
      #expect(try first.apart().hub.writer === first.hub.writer)
      #expect(first.path == "\(folder)/a.hdb" && first.hasFile)
    }
    #expect(try Session.made().hub !== Session.made().hub)
    #expect(try Session.made().path == nil)
  }

  @Test func `a session is woken by the commits of others, until it ends the subscription`() throws
  {
    let session = try Session.made(Self.dog)
    let other = try session.sibling()
    let bell = Bell()
    var subscription: CommitSubscription? = try session.subscribeToCommits { bell.ring() }
    #expect(subscription != nil)
    let before = bell.count
    _ = try session.write { try session.add("Dog") }
    #expect(bell.count == before)
    _ = try other.write { try other.add("Dog") }
    #expect(bell.count == before + 1)
    try other.beginWrite(byHand: true)
    try other.rollback()
    #expect(bell.count == before + 1)
    subscription = nil
    _ = try other.write { try other.add("Dog") }
    #expect(bell.count == before + 1)
    session.close()
    #expect(
      errorText { _ = try session.subscribeToCommits {} } == "the store is closed")
  }

  @Test func `a session is alone until another one is there, and again after it`() throws {
    let session = try Session.made(Self.dog)
    #expect(session.hub.isAlone)
    var other: Session? = try session.sibling()
    #expect(!session.hub.isAlone)
    other?.restWithoutObservers()
    #expect(session.hub.isAlone)
    _ = other?.schema
    #expect(!session.hub.isAlone)
    other = nil
    #expect(session.hub.isAlone)
    // Something frozen takes no records.
    let frozen = try session.freeze()
    #expect(session.hub.isAlone)
    withExtendedLifetime(frozen) {}
  }

  @Test func `a session that is released with an open write rolls it back`() throws {
    let session = try Session.made(Self.dog)
    var other: Session? = try session.sibling()
    try other?.beginWrite(byHand: true)
    try other?.add("Dog")
    #expect(!session.hub.writer.isFree)
    other = nil
    #expect(session.hub.writer.isFree)
    #expect(try session.objects("Dog") == [])
    _ = try session.write(waiting: false) { try session.add("Dog") }
    #expect(session.check() == [])
  }

  @Test func `the layout of a schema is shared while it stays`() throws {
    let session = try Session.made(Self.dog)
    let other = try session.sibling()
    #expect(session.snapshot.layout === other.snapshot.layout)
    try session.write { try session.declare(ClassDefinition(name: "Cat", properties: [])) }
    #expect(session.snapshot.layout !== other.snapshot.layout)
    _ = try other.refresh()
    #expect(session.snapshot.layout === other.snapshot.layout)
    #expect(try session.hub.layout(of: nil).schema.classCount == 0)
    #expect(
      errorText { _ = try session.hub.layout(of: [9, 9, 9]) }
        == "the store in memory is damaged: its schema cannot be read")
  }

  @Test func `settings of the store are those of each of its sessions`() throws {
    let session = try Session.made(Self.dog)
    let other = try session.sibling()
    session.writeLimit = 5_000_000
    session.syncsEveryCommit = false
    #expect(other.writeLimit == 5_000_000 && !other.syncsEveryCommit)
    #expect(!other.isReadOnly)
  }

  @Test func `the holders of versions are listed, oldest first`() throws {
    try withFolder { folder in
      let session = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      session.name = "main"
      let other = try session.sibling()
      other.name = "other"
      _ = try session.write { try session.add("Dog") }
      let holders = try session.readers()
      #expect(holders.map(\.version) == holders.map(\.version).sorted())
      #expect(Set(holders.compactMap(\.session)).isSuperset(of: ["main", "other"]))
      #expect(holders.allSatisfy { $0.process == processNumber && !$0.isFrozen })
    }
  }
}
