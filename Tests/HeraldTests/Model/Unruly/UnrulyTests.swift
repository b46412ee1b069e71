import Herald
import TestSupport
import Testing

@testable import TestModel

/// Rules 1.7 to 1.10, 4.2, 5.1, 6.1 to 6.6 and 9.3 at once: nested deliveries of several sessions, whose
/// blocks observe, stop, write and fail, over queries whose sorts, distinct and limits follow one
/// another in any order. Every second store is a file, with a session as another process would have it
/// and a change log that rarely reaches back.
@Suite struct UnrulyTests {
  @Test(arguments: seeds(40))
  func `4.2: whatever blocks do, the delivered changes lead from the old rows to the new ones`(
    seed: UInt64
  ) throws {
    guard seed.isMultiple(of: 2) else {
      return try run(UnrulyWorld(seed: seed, store: DynamicStore()))
    }
    try withFolder { folder in
      let path = "\(folder)/unruly.hdb"
      try run(UnrulyWorld(seed: seed, store: DynamicStore(path: path)))
    }
  }

  @Test func `6.2: deliveries are nested in these runs`() throws {
    let nestedCalls = try (1...6).map { seed in
      let world = try UnrulyWorld(seed: UInt64(seed), store: DynamicStore())
      try run(world)
      return world.nestedCalls
    }
    #expect(nestedCalls.reduce(0, +) > 50, "\(nestedCalls)")
  }

  private func run(_ world: UnrulyWorld) throws {
    for step in 0..<120 {
      for session in world.sessions where session.mirrors.count(where: \.isLive) < 4 {
        try world.observe(session)
      }
      world.actionsLeft = 8
      try world.step()
      let faults = world.allFaults
      try #require(faults.isEmpty, "HERALD_SEED=\(world.seed), step \(step): \(faults)")
    }
    try world.finish()
    #expect(world.allFaults.isEmpty, "HERALD_SEED=\(world.seed)")
    for session in world.sessions {
      #expect(session.store.check().isEmpty, "HERALD_SEED=\(world.seed)")
    }
    #expect(world.commits > 40, "HERALD_SEED=\(world.seed)")
    for session in world.sessions { session.store.close() }
  }
}

extension UnrulyWorld {
  var allFaults: [String] { faults + sessions.flatMap { $0.mirrors.flatMap(\.faults) } }

  func step() throws {
    let session = random.pick(sessions)
    switch random.below(20) {
    case 0..<8: try write(session)
    case 8: try writeByHand(session)
    case 9..<15: try turn(session)
    case 15: do { try session.store.refresh() } catch is Whim {}
    case 16: session.store.autorefresh.toggle()
    case 17: stop(session)
    default: try observe(session)
    }
  }

  /// Every token receives everything.
  func finish() throws {
    actionsLeft = 0
    for session in sessions { session.store.autorefresh = true }
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for session in sessions where try session.store.endTurn() { isQuiet = false }
    }
    for session in sessions {
      for mirror in session.mirrors { try mirror.compareAtEnd() }
    }
    try compareFrozen()
  }
}
