import HeraldModel
import Testing

@testable import HeraldEngine

@Suite struct CommitClockTests {
  @Test func `times of commits go back only if the clock was set back by more than a minute`() {
    let clock = CommitClock()
    func next(_ seconds: Int) -> Int { clock.next(at: Timestamp(seconds: seconds)).seconds }
    #expect(
      [1_000, 1_010, 1_005, 950, 1_011, 951, 900, 901].map(next) == [
        1_000, 1_010, 1_010, 1_010, 1_011, 1_011, 900, 901,
      ])
  }
}
