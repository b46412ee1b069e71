import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

struct ObservationDeliveryRuleTests {
  private let session = RuleSession(ages: [3, 5])
  private let dogs = ObservedTarget.results(BoundQuery(classID: RuleSession.dog), .standard)

  @Test func `store tokens come first, then the order of registration (1.8)`() {
    session.observe("dogs", dogs)
    session.observe("max", .object(dog1, .everything))
    session.observe("store", .store)
    #expect(session.deliver() == ["dogs: initial 2"])
    session.write { $0.setAge(dog1, 4) }
    #expect(
      session.deliver() == ["store: changed", "dogs: -[] +[] ~[\"0>0\"]", "max: change age 3->4"])
    #expect(!session.observatory.hasPending && session.deliver() == [])
  }

  @Test func `a store token receives any transaction, and its own at once (1.2, 2.1)`() {
    session.observe("dogs", dogs)
    session.observe("store", .store)
    session.deliver()
    session.write { _ in }
    #expect(session.observatory.hasPendingStoreReport)
    #expect(session.deliverStore() == ["store: changed"])
    #expect(!session.observatory.hasPendingStoreReport && session.deliver() == [])
  }

  @Test func `refresh is required once until the session is advanced (1.3)`() {
    session.observe("store", .store)
    session.observatory.scheduleRefreshRequired()
    #expect(session.deliver() == ["store: refresh required"])
    session.observatory.scheduleRefreshRequired()
    #expect(session.deliver() == [])
    session.write { _ in }
    #expect(session.deliver() == ["store: changed"])
    session.observatory.scheduleRefreshRequired()
    #expect(session.deliver() == ["store: refresh required"])
  }

  @Test func `everything between two deliveries is one change set (1.5)`() {
    session.observe("dogs", dogs)
    session.observe("max", .object(dog1, .everything))
    session.deliver()
    session.write { $0.addDog("Leo") }
    session.write { $0.setAge(RuleSession.dog(3), 9) }
    session.write { $0.setAge(dog1, 4) }
    session.write { $0.delete(RuleSession.dog(2)) }
    session.write { $0.setAge(dog1, 7) }
    #expect(
      session.deliver() == ["dogs: -[1] +[1] ~[\"0>0\"]", "max: change age 3->7"])
  }

  @Test func `a token added or invalidated during a delivery (1.10)`() {
    session.observe("max", .object(dog1, .everything))
    session.observe("second", dogs)
    session.observe("third", dogs)
    session.deliver()
    session.write { $0.setAge(dog1, 4) }
    let notified = session.deliver { name in
      guard name == "max" else { return }
      session.invalidate("second")
      session.observe("late", dogs)
    }
    #expect(notified == ["max: change age 3->4", "third: -[] +[] ~[\"0>0\"]"])
    #expect(session.deliver() == ["late: initial 2"])
  }

  @Test func `initial once, then updates; the view is as of its delivery (2.2)`() {
    session.observe("dogs", dogs)
    session.write { $0.addDog("Leo") }
    #expect(session.deliver() == ["dogs: initial 3"])
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == ["dogs: -[0] +[] ~[]"])
  }

  @Test func `silenced tokens continue after the commit (5.1)`() {
    let quiet = session.observe("quiet", dogs)
    let silentStore = session.observe("silent store", .store)
    session.observe("loud", dogs)
    session.deliver()
    session.write(without: [quiet, silentStore]) {
      $0.delete(dog1)
      $0.addDog("Leo")
    }
    #expect(session.deliver() == ["loud: -[0] +[1] ~[]"])
    session.write { $0.setAge(RuleSession.dog(3), 1) }
    #expect(
      session.deliver() == [
        "silent store: changed", "quiet: -[] +[] ~[\"1>1\"]", "loud: -[] +[] ~[\"1>1\"]",
      ])
    #expect(session.observatory.violations(session.reader) == [])
  }

  @Test func `an object or list owner deleted in a silenced commit ends the token (5.4)`() {
    let object = session.observe("object", .object(dog1, .everything))
    let list = session.observe(
      "list", .collection(owner: dog1, property: RuleSession.siblings, .standard))
    session.observe("other", .object(dog1, .everything))
    session.deliver()
    session.write(without: [object, list]) { $0.delete(dog1) }
    #expect(!session.observatory.isLive(object) && !session.observatory.isLive(list))
    #expect(session.deliver() == ["other: deleted"])
  }

  @Test func `a write in a delivery that advances the session (6.2)`() {
    let puppies = BoundQuery(
      classID: RuleSession.dog, predicate: RuleSession.older(than: -1),
      stages: [.sort(SortOrder(keys: [.init(path: RuleSession.path("age"), isAscending: false)]))])
    session.observe("first", dogs)
    session.observe("writer", .object(dog1, .everything))
    session.observe("last", .results(puppies, .standard))
    session.deliver()
    session.write {
      $0.setAge(dog1, 4)
      $0.addDog("Leo", age: 1)
    }
    var nested: [String] = []
    let outer = session.deliver { name in
      guard name == "writer" else { return }
      session.write {
        $0.setAge(dog1, 9)
        $0.addDog("Zoe", age: 2)
      }
      nested = session.deliver()
      // What the block writes then is delivered later (6.1).
      session.write { $0.addDog("Kim", age: 100) }
    }
    #expect(outer == ["first: -[] +[2] ~[\"0>0\"]", "writer: change age 3->4"])
    #expect(
      nested == [
        "first: -[] +[3] ~[\"0>0\"]", "writer: change age 4->9",
        "last: -[1] +[0, 2, 3] ~[] moves [\"1>0\"]",
      ])
    #expect(session.deliver() == ["first: -[] +[4] ~[]", "last: -[] +[0] ~[]"])
  }
}
