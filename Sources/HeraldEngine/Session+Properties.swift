import HeraldModel
import HeraldObservation

extension Session {
  /// How many property observers may be told inside one another's blocks.
  static let tellingLimit = 64

  /// Notes what a statement does to a property that is observed, or to an object.
  func note(_ object: ObjectID, _ assignment: OpenWrite.Assignment) {
    switch assignment {
    case .property(let property, let report):
      if !observatory.propertyTokens(on: object, property.id).isEmpty {
        assigned[assigned.count - 1].append(
          OpenWrite.OwedReport(object: object, property: property.id, report: report()))
      }
      if !assigned[assigned.count - 1].isEmpty { assigned.append([]) }
    case .deletion:
      guard !observatory.invalidationTokens(on: object).isEmpty else { return }
      assigned[assigned.count - 1].append(
        OpenWrite.OwedReport(
          object: object, property: nil, report: .invalidated(name: "invalidated")))
    }
  }

  /// Tells property observers what the statement that is done has assigned: a block that writes
  /// finds nothing half done. What their blocks throw fails the statement.
  func endStatement() throws {
    let done = assigned
    assigned = [[]]
    for reports in done { owe(reports) }
    tellOwed()
    if let failure = toldFailure {
      toldFailure = nil
      throw failure
    }
  }

  private func call(_ token: TokenID, _ report: Report) {
    // Past the limit nothing more is told until all blocks have ended, what they reverted included.
    if isTellingStopped { return }
    invalidateDropped()
    do {
      try telling { try observatory.tell(token, report, of: version + 1) }
    } catch {
      toldFailure = toldFailure ?? error
    }
  }

  /// Tells an observer of a property; an error where too many are told inside one another's blocks.
  package func telling(_ body: () throws -> Void) throws {
    guard tellingDepth < Session.tellingLimit else {
      isTellingStopped = true
      throw HeraldError.tooManyNestedTellings(Session.tellingLimit)
    }
    tellingDepth += 1
    defer {
      tellingDepth -= 1
      if tellingDepth == 0 { isTellingStopped = false }
    }
    try body()
  }

  /// Remembers the keys of the objects that go with a write that is taken back and that its reversals
  /// name.
  func keepKeys(of reversals: [OpenWrite.OwedReport], _ write: OpenWrite) {
    for case .property(_, old: let old, new: _) in reversals.map(\.report) {
      for object in old.links where write.isCreated(object) { graveyard[object] = key(of: object) }
    }
  }

  /// Tells property observers what a statement has done or a write that was taken back reverts, in
  /// the order in which they were registered.
  func tell(_ reports: [OpenWrite.OwedReport]) {
    owe(reports)
    tellOwed()
  }

  private func owe(_ reports: [OpenWrite.OwedReport]) {
    var owed: [(token: TokenID, report: Report)] = []
    for report in reports {
      let tokens =
        report.property.map { observatory.propertyTokens(on: report.object, $0) }
        ?? observatory.invalidationTokens(on: report.object)
      owed += tokens.map { ($0, report.report) }
    }
    owed.sort { $0.token.rawValue < $1.token.rawValue }
    untold += owed
  }

  /// Tells all that is owed, in the order in which it was done: what a block does is told before its
  /// statement ends, after all that was done before.
  private func tellOwed() {
    while toldCount < untold.count {
      toldCount += 1
      call(untold[toldCount - 1].token, untold[toldCount - 1].report)
    }
    untold = []
    toldCount = 0
  }
}
