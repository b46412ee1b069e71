import HeraldModel
import HeraldObservation

extension Session {
  /// Records a statement's change of a property, or deletion of an object, that is observed.
  func note(_ object: ObjectID, _ assignment: OpenWrite.Assignment) {
    switch assignment {
    case .property(let property, let report):
      if !observatory.propertyTokens(on: object, property.id).isEmpty {
        delivery.propertyReports.note(
          OpenWrite.PendingPropertyReport(object: object, property: property.id, report: report()))
      }
      delivery.propertyReports.endAssignment()
    case .deletion:
      guard !observatory.propertyTokens(on: object, nil).isEmpty else { return }
      delivery.propertyReports.note(
        OpenWrite.PendingPropertyReport(
          object: object, property: nil, report: .invalidated(name: "invalidated")))
    }
  }

  /// Notifies property observers of the assignments of the statement that has ended, so that a block which
  /// writes never sees a partial change. An error that a block throws fails the statement.
  func endStatement() throws {
    if delivery.propertyReports.isEmpty { return }
    for reports in delivery.propertyReports.takeAssignments() { enqueue(reports) }
    deliverPendingReports()
    if let failure = delivery.propertyReports.takeFailure() { throw failure }
  }

  /// Runs `body`, which notifies an observer of a property; throws if too many notifications are nested.
  package func notifying(_ body: () throws -> Void) throws {
    try delivery.propertyReports.enter()
    defer { delivery.propertyReports.leave() }
    try body()
  }

  /// Keeps the primary keys of the objects that a rollback removes and that its reversals mention.
  func keepKeys(of reversals: [OpenWrite.PendingPropertyReport], _ write: OpenWrite) {
    for case .property(_, old: let old, new: _) in reversals.map(\.report) {
      for object in old.links where write.log.isCreated(object) {
        delivery.deletedKeys[object] = key(of: object)
      }
    }
  }

  /// Notifies property observers of what a statement has changed, or a rollback has reverted, in the order
  /// in which they were registered.
  func notify(_ reports: [OpenWrite.PendingPropertyReport]) {
    enqueue(reports)
    deliverPendingReports()
  }

  private func enqueue(_ reports: [OpenWrite.PendingPropertyReport]) {
    var pending: [(token: TokenID, report: Report)] = []
    for report in reports {
      let tokens = observatory.propertyTokens(on: report.object, report.property)
      pending += tokens.map { ($0, report.report) }
    }
    pending.sort { $0.token.rawValue < $1.token.rawValue }
    delivery.propertyReports.add(pending)
  }

  private func deliverPendingReports() {
    while let (token, report) = delivery.propertyReports.next() {
      if delivery.propertyReports.isStopped { continue }
      invalidateDropped()
      do {
        try notifying { try observatory.notify(token, report, of: version + 1) }
      } catch {
        delivery.propertyReports.fail(error)
      }
    }
  }
}
