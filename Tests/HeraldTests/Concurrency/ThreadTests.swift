import Foundation
import Herald
import Testing

/// Sessions on threads of their own: nothing is lost, and what each receives agrees with what it
/// reads.
@Suite struct ThreadTests {
  /// A session on its way to the thread that will own it: nobody else touches it from then on.
  private struct Handed: @unchecked Sendable {
    let store: DynamicStore
  }

  /// What a thread brings back, written by it and read when it has ended.
  private final class Outcome: @unchecked Sendable {
    var faults: [String] = []
    var commits = 0
    var notified = 0
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `sessions on threads lose no write and receive what they read`(seed: UInt64) throws {
    try withKennel(dogs: 30) { kennel in
      try kennel.write {
        try kennel.addPerson(1, [("dogs", .list(try kennel.links([1, 2, 3])))])
      }
      var outcomes: [Outcome] = []
      var threads: [Thread] = []
      let group = DispatchGroup()
      for number in 0..<4 {
        let outcome = Outcome()
        let handed = Handed(store: try kennel.store.newSession(named: "t\(number)"))
        group.enter()
        let thread = Thread {
          let worker = ThreadWorker(Kennel(handed.store), seed: seed &* 31 &+ UInt64(number))
          do { try worker.run(steps: 150) } catch { worker.faults.append("\(error)") }
          outcome.faults = worker.faults
          outcome.commits = worker.commits
          outcome.notified = worker.notified
          handed.store.close()
          group.leave()
        }
        thread.stackSize = 4 << 20
        outcomes.append(outcome)
        threads.append(thread)
      }
      for thread in threads { thread.start() }
      group.wait()
      for outcome in outcomes { #expect(outcome.faults.isEmpty, "seed \(seed)") }
      #expect(outcomes.map(\.notified).reduce(0, +) > 100)
      try kennel.store.refresh()
      let commits = outcomes.map(\.commits).reduce(0, +)
      let counted = try kennel.trigger().value("n")
      #expect(counted == .int(commits), "each commit has added one")
    }
  }
}
