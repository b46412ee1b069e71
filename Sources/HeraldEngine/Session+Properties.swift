import HeraldModel
import HeraldObservation

extension Session {
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
    do {
      try observatory.tell(token, report, of: version + 1)
    } catch {
      toldFailure = toldFailure ?? error
    }
  }

  /// Remembers the keys of the objects that go with a write that is taken back and that its reversals
  /// name.
  func keepKeys(of reversals: [OpenWrite.Reversal], _ write: OpenWrite) {
    for case .property(_, old: let old, new: _) in reversals.map(\.report) {
      for object in old.links where write.isCreated(object) { graveyard[object] = key(of: object) }
    }
  }

  /// Tells property observers what a write that was taken back reverts, in the order in which they
  /// were registered.
  func tellReversals(_ reversals: [OpenWrite.Reversal]) {
    var owed: [(token: TokenID, report: Report)] = []
    for reversal in reversals {
      let tokens =
        reversal.property.map { observatory.propertyTokens(on: reversal.object, $0) }
        ?? observatory.invalidationTokens(on: reversal.object)
      owed += tokens.map { ($0, reversal.report) }
    }
    owed.sort { $0.token.rawValue < $1.token.rawValue }
    for (token, report) in owed { call(token, report) }
  }
}
