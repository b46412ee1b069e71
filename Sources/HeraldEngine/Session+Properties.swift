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
    observatory.noteTold(token, report)
    do {
      try handlers[token]?(report)
    } catch {
      toldFailure = toldFailure ?? error
    }
  }

  /// Tells property observers what a write that was taken back reverts.
  func tellReversals(
    _ reversals: [(object: ObjectID, property: PropertySchema, report: Report)]
  ) {
    for (object, property, report) in reversals {
      for token in observatory.propertyTokens(on: object, property.id) { call(token, report) }
    }
  }
}
