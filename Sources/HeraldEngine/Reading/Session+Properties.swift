import HeraldModel
import HeraldObservation

extension Session {
  /// Notes what a statement does to a property that is observed, or to an object.
  func note(_ object: ObjectID, _ assignment: OpenWrite.Assignment) {
    switch assignment {
    case .property(let property, let report):
      if !observatory.propertyTokens(on: object, property.id).isEmpty {
        tellings.note(
          OpenWrite.OwedReport(object: object, property: property.id, report: report()))
      }
      tellings.endAssignment()
    case .deletion:
      guard !observatory.invalidationTokens(on: object).isEmpty else { return }
      tellings.note(
        OpenWrite.OwedReport(
          object: object, property: nil, report: .invalidated(name: "invalidated")))
    }
  }

  /// Tells property observers what the statement that is done has assigned: a block that writes
  /// finds nothing half done. What their blocks throw fails the statement.
  func endStatement() throws {
    for reports in tellings.takeAssigned() { owe(reports) }
    tellOwed()
    if let failure = tellings.takeFailure() { throw failure }
  }

  /// Tells an observer of a property; an error where too many are told inside one another's blocks.
  package func telling(_ body: () throws -> Void) throws {
    try tellings.enter()
    defer { tellings.leave() }
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
    tellings.owe(owed)
  }

  private func tellOwed() {
    while let (token, report) = tellings.next() {
      if tellings.isStopped { continue }
      invalidateDropped()
      do {
        try telling { try observatory.tell(token, report, of: version + 1) }
      } catch {
        tellings.fail(error)
      }
    }
  }
}
