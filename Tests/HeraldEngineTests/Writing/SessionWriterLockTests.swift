import Synchronization
import Testing

@testable import HeraldEngine

/// The writer's place: to look at it is not to take it.
struct SessionWriterLockTests {
  private final class Seen: Sendable {
    let isOver = Atomic(false)
    let refusals = Atomic(0)
  }

  @Test func `looking at the place never keeps anybody from taking it`() async {
    let place = SessionWriterLock()
    let seen = Seen()
    await withDiscardingTaskGroup { group in
      group.addTask {
        while !seen.isOver.load(ordering: .relaxed) { _ = place.isFree }
      }
      group.addTask {
        for _ in 0..<20_000 {
          if place.take(waiting: false) {
            place.leave()
          } else {
            seen.refusals.add(1, ordering: .relaxed)
          }
        }
        seen.isOver.store(true, ordering: .relaxed)
      }
    }
    #expect(seen.refusals.load(ordering: .relaxed) == 0)
  }

  @Test func `only one at a time has the place`() {
    let place = SessionWriterLock()
    #expect(place.isFree)
    #expect(place.take(waiting: false))
    #expect(!place.isFree)
    #expect(!place.take(waiting: false))
    place.leave()
    #expect(place.isFree)
    #expect(place.take(waiting: true))
    place.leave()
  }
}
