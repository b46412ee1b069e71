import HeraldModel
import Testing

@testable import HeraldObservation

/// What observers receive whose views can no longer be maintained.
@Suite struct FailingTests {
  private static let error = HeraldError.storeReplaced(path: "s.hdb")

  @Test func `every observer receives one last report, in the order of a round, and ends`() {
    let session = RuleSession(ages: [3, 4])
    let observatory = session.observatory
    let object = observatory.register(.object(dog1, .everything))
    let list = observatory.register(
      .collection(owner: dog1, property: RuleSession.siblings, .keyPaths([])))
    let property = observatory.register(.property(dog1, RuleSession.name))
    let store = observatory.register(.store)
    observatory.fail(Self.error)
    #expect(observatory.hasPending)
    for token in [object, list, property, store] { #expect(!observatory.isLive(token)) }
    var notified: [(token: TokenID, report: Report)] = []
    while let due = observatory.nextFailure() { notified.append((due.token, due.report)) }
    #expect(notified.map(\.token) == [store, property, object, list])
    #expect(
      notified.map(\.report) == [
        .error(Self.error), .error(Self.error), .error(Self.error), .collection(.error(Self.error)),
      ])
    #expect(!observatory.hasPending)
    observatory.fail(Self.error)
    #expect(observatory.nextFailure()?.token == nil)
    #expect(observatory.why(object, session.reader) == .ended(.failed(Self.error)))
  }

  @Test func `an observer that was invalidated before its last report is not notified`() {
    let observatory = RuleSession(ages: [3]).observatory
    let first = observatory.register(.object(dog1, .everything))
    let second = observatory.register(.store)
    observatory.fail(Self.error)
    observatory.invalidate(first)
    #expect(observatory.nextFailure()?.token == second)
    #expect(observatory.nextFailure()?.token == nil)
  }
}
