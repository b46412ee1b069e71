import HeraldModel
import HeraldObservation

/// What property observers are owed of what a write does: noted while a statement works, told when it
/// is done, in the order in which things were done.
struct OwedTellings {
  /// How many property observers may be told inside one another's blocks.
  static let depthLimit = 64

  /// What the statement under way has assigned of what is observed, each assignment with what went by
  /// it.
  private var assigned: [[OpenWrite.OwedReport]] = [[]]
  /// What is being told, and how much of it has been.
  private var reports: [(token: TokenID, report: Report)] = []
  private var toldCount = 0
  /// The first error of a block in the statement under way.
  private var failure: (any Error)?
  /// Blocks under way, one inside the other.
  private var depth = 0
  /// Too many of them: nothing more is told until all have ended, what they reverted included.
  private(set) var isStopped = false

  mutating func note(_ report: OpenWrite.OwedReport) {
    assigned[assigned.count - 1].append(report)
  }

  /// What is noted from now on goes by another assignment.
  mutating func endAssignment() {
    if !assigned[assigned.count - 1].isEmpty { assigned.append([]) }
  }

  /// What the statement that is done has assigned, which is not noted any more.
  mutating func takeAssigned() -> [[OpenWrite.OwedReport]] {
    defer { assigned = [[]] }
    return assigned
  }

  /// Tokens are to be told, after all that is owed already.
  mutating func owe(_ reports: [(token: TokenID, report: Report)]) { self.reports += reports }

  /// Who is told next; nil where nothing is owed any more. What a block does is told before its
  /// statement ends, after all that was done before.
  mutating func next() -> (token: TokenID, report: Report)? {
    guard toldCount < reports.count else {
      reports = []
      toldCount = 0
      return nil
    }
    toldCount += 1
    return reports[toldCount - 1]
  }

  /// What was noted and what is owed will not be told: its write is taken back.
  mutating func forget() {
    assigned = [[]]
    reports = []
    toldCount = 0
  }

  mutating func fail(_ error: any Error) { failure = failure ?? error }

  mutating func takeFailure() -> (any Error)? {
    defer { failure = nil }
    return failure
  }

  /// Before a block is called.
  mutating func enter() throws(HeraldError) {
    guard depth < Self.depthLimit else {
      isStopped = true
      throw HeraldError.tooManyNestedTellings(Self.depthLimit)
    }
    depth += 1
  }

  mutating func leave() {
    depth -= 1
    if depth == 0 { isStopped = false }
  }
}
