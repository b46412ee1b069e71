import HeraldModel
import HeraldObservation

extension Session {
  /// How many property observers may be told inside one another's blocks.
  static let tellingLimit = 64

  /// Calls the observers of a property that is being assigned in the open write.
  func tell(_ object: ObjectID, _ assignment: OpenWrite.Assignment) {
    guard observatory.hasPropertyObservers else { return }
    switch assignment {
    case .property(let property, let report):
      for token in observatory.propertyTokens(on: object, property.id) { call(token, report()) }
    case .deletion:
      for token in observatory.invalidationTokens(on: object) {
        call(token, .invalidated(name: "invalidated"))
      }
    }
  }

  /// What the blocks of property observers throw fails the statement that told them.
  func throwToldFailure() throws {
    if let failure = toldFailure {
      toldFailure = nil
      throw failure
    }
  }

  private func call(_ token: TokenID, _ report: Report) {
    // Past the limit nothing more is told until all blocks have ended, what they reverted included.
    if isTellingStopped { return }
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
    var owed: [(token: TokenID, report: Report)] = []
    for report in reports {
      let tokens =
        report.property.map { observatory.propertyTokens(on: report.object, $0) }
        ?? observatory.invalidationTokens(on: report.object)
      owed += tokens.map { ($0, report.report) }
    }
    owed.sort { $0.token.rawValue < $1.token.rawValue }
    for (token, report) in owed { call(token, report) }
  }
}
