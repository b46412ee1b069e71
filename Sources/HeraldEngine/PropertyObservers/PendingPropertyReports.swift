import HeraldModel
import HeraldObservation

/// The pending notifications of property observers in a write: recorded while a statement runs and
/// delivered when it ends, in the order of the assignments.
struct PendingPropertyReports {
  /// The maximum depth of property observers that are notified within one another's blocks.
  static let depthLimit = 64

  /// The reports of the current statement, grouped by assignment.
  private var assigned: [[OpenWrite.PendingPropertyReport]] = [[]]
  /// The reports that are being delivered, and how many of them have been.
  private var reports: [(token: TokenID, report: Report)] = []
  private var deliveredCount = 0
  /// The first error that a block threw in the current statement.
  private var failure: (any Error)?
  /// The number of nested blocks that are running.
  private var depth = 0
  /// Whether the limit was exceeded: nothing more, reversals included, is delivered until all blocks end.
  private(set) var isStopped = false

  mutating func note(_ report: OpenWrite.PendingPropertyReport) {
    assigned[assigned.count - 1].append(report)
  }

  /// Ends the current assignment; later reports belong to another one.
  mutating func endAssignment() {
    if !assigned[assigned.count - 1].isEmpty { assigned.append([]) }
  }

  /// Whether nothing was recorded, and nothing is pending.
  var isEmpty: Bool {
    reports.isEmpty && failure == nil && assigned.count == 1 && assigned[0].isEmpty
  }

  /// Removes and returns the reports of the statement that has ended, by assignment.
  mutating func takeAssignments() -> [[OpenWrite.PendingPropertyReport]] {
    defer { assigned = [[]] }
    return assigned
  }

  /// Appends reports for tokens to the pending ones.
  mutating func add(_ reports: [(token: TokenID, report: Report)]) { self.reports += reports }

  /// Returns the next token to notify; nil if nothing is pending. Assignments made by a block are delivered
  /// before its statement ends, after all earlier ones.
  mutating func next() -> (token: TokenID, report: Report)? {
    guard deliveredCount < reports.count else {
      reports = []
      deliveredCount = 0
      return nil
    }
    deliveredCount += 1
    return reports[deliveredCount - 1]
  }

  /// Discards everything recorded and pending, because the write is rolled back.
  mutating func forget() {
    assigned = [[]]
    reports = []
    deliveredCount = 0
  }

  mutating func fail(_ error: any Error) { failure = failure ?? error }

  mutating func takeFailure() -> (any Error)? {
    defer { failure = nil }
    return failure
  }

  /// Counts a block that is about to be called; throws if too many are nested.
  mutating func enter() throws(HeraldError) {
    guard depth < Self.depthLimit else {
      isStopped = true
      throw HeraldError.tooManyNestedNotifications(Self.depthLimit)
    }
    depth += 1
  }

  mutating func leave() {
    depth -= 1
    if depth == 0 { isStopped = false }
  }
}
