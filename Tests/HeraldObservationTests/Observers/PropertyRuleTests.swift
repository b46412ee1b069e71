import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

struct PropertyRuleTests {
  private let session = RuleSession(ages: [1, 4, 5], persons: 2)

  // MARK: Property observers

  @Test func `changes by others are one, from the version before to the one after (8.1)`() {
    session.observe("k", .property(dog1, RuleSession.age))
    session.observe("other", .property(dog2, RuleSession.age))
    for age in 2...10 { session.write { $0.setAge(dog1, age) } }
    #expect(session.deliver() == ["k: age 1->10"])
    session.write { $0.setAge(dog1, 11) }
    session.write { $0.setAge(dog1, 10) }
    #expect(session.deliver() == [])
  }

  @Test func `what the session itself writes is reported at the assignment (8.1, 8.6)`() {
    let token = session.observe("k", .property(dog1, RuleSession.age))
    let end = session.observe("end", .invalidated(dog1, name: "invalidated"))
    #expect(session.observatory.propertyTokens(on: dog1, RuleSession.age) == [token])
    #expect(session.observatory.propertyTokens(on: dog1, RuleSession.name) == [])
    #expect(session.observatory.propertyTokens(on: dog2, RuleSession.age) == [])
    #expect(session.observatory.propertyTokens(on: dog1, nil) == [end])
    session.write(own: true) { $0.setAge(dog1, 2) }
    #expect(session.deliver() == [])
    session.write { $0.setAge(dog1, 3) }
    #expect(session.deliver() == ["k: age 2->3"])
    session.write(own: true) { $0.delete(dog1) }
    #expect(session.deliver() == [])
    #expect(!session.observatory.isLive(token) && !session.observatory.isLive(end))
    #expect(!session.observatory.hasPropertyObservers)
  }

  @Test func `property observers come before collections and after store tokens (1.8)`() {
    session.observe("object", .object(dog1, .everything))
    session.observe("k", .property(dog1, RuleSession.age))
    session.observe("store", .store)
    session.write { $0.setAge(dog1, 2) }
    #expect(
      session.deliver() == ["store: changed", "k: age 1->2", "object: change age 1->2"])
  }

  @Test func `the end is reported, other observers end silently (8.3, 8.6)`() {
    let token = session.observe("k", .property(dog1, RuleSession.age))
    let end = session.observe("end", .invalidated(dog1, name: "invalidated"))
    session.write {
      $0.setAge(dog1, 2)
      $0.delete(dog1)
    }
    #expect(!session.observatory.isLive(token) && session.observatory.isLive(end))
    #expect(session.deliver() == ["end: invalidated"])
    #expect(!session.observatory.isLive(end))
  }

  @Test func `a link that becomes nil with its target is reported (8.6)`() {
    session.write { $0.setOwner(dog1, person) }
    session.observe("k", .property(dog1, RuleSession.owner))
    session.write { $0.delete(person) }
    #expect(session.deliver() == ["k: owner 2#1->nil"])
  }

  /// Operations on a list [1, 2, 3] of dogs, and what is reported of them.
  private static var listChanges: [(String, (inout RecordingTransaction) -> Void)] {
    let (owner, list) = (RuleSession.dog(1), RuleSession.siblings)
    let link = { (number: Int) in Value.link(RuleSession.dog(number)) }
    return [
      ("insertion [3, 4]", { $0.insert([link(1), link(2)], at: 3, owner, list) }),
      (
        "insertion [0, 4]",
        {
          $0.insert([link(1)], at: 0, owner, list)
          $0.insert([link(1)], at: 4, owner, list)
        }
      ),
      ("removal [1]", { $0.remove(at: 1, owner, list) }),
      ("removal [0, 1, 2]", { $0.clear(owner, list) }),
      ("replacement [2]", { $0.replace(at: 2, link(1), owner, list) }),
      ("replacement [0, 1, 2]", { $0.move(from: 0, to: 2, owner, list) }),
      ("replacement [1, 2]", { $0.move(from: 2, to: 1, owner, list) }),
      (
        "setting []",
        {
          $0.replace(at: 0, link(3), owner, list)
          $0.insert([link(1)], at: 0, owner, list)
        }
      ),
      (
        "setting []",
        {
          $0.remove(at: 0, owner, list)
          $0.insert([link(1), link(1)], at: 0, owner, list)
        }
      ),
      (
        "setting []",
        {
          $0.move(from: 0, to: 2, owner, list)
          $0.remove(at: 0, owner, list)
        }
      ),
    ]
  }

  @Test(arguments: 0..<10)
  func `a list is reported by kind and rows (8.2)`(index: Int) {
    session.write {
      for dog in [dog1, dog2, dog3] { $0.addSibling(dog1, dog) }
    }
    session.observe("k", .property(dog1, RuleSession.siblings))
    let (expected, operate) = Self.listChanges[index]
    session.write { operate(&$0) }
    #expect(session.deliver() == ["k: siblings \(expected)"])
  }

  @Test func `a list that several commits left as it was is not reported (8.1)`() {
    session.write { for dog in [dog1, dog2, dog3] { $0.addSibling(dog1, dog) } }
    session.observe("k", .property(dog1, RuleSession.siblings))
    let list = RuleSession.siblings
    let (first, last) = (Value.link(dog1), Value.link(dog3))
    typealias Write = (inout RecordingTransaction) -> Void
    let ways: [(there: Write, back: Write)] = [
      ({ $0.replace(at: 0, last, dog1, list) }, { $0.replace(at: 0, first, dog1, list) }),
      ({ $0.remove(at: 0, dog1, list) }, { $0.insert([first], at: 0, dog1, list) }),
      ({ $0.move(from: 0, to: 2, dog1, list) }, { $0.move(from: 2, to: 0, dog1, list) }),
    ]
    for way in ways {
      session.write { way.there(&$0) }
      session.write { way.back(&$0) }
      #expect(session.deliver() == [])
    }
    session.write { $0.replace(at: 0, last, dog1, list) }
    session.write { $0.replace(at: 1, last, dog1, list) }
    session.write { $0.replace(at: 0, first, dog1, list) }
    #expect(session.deliver() == ["k: siblings replacement [1]"])
  }

  @Test func `sets and maps are reported as set, where they differ (8.2)`() {
    session.observe("set", .property(dog1, RuleSession.tags))
    session.observe("map", .property(dog1, RuleSession.scores))
    session.write {
      $0.insertValue(.string("a"), dog1, RuleSession.tags)
      $0.setEntry("a", .int(1), dog1, RuleSession.scores)
    }
    #expect(session.deliver() == ["set: tags setting []", "map: scores setting []"])
    session.write {
      $0.removeValue(.string("a"), dog1, RuleSession.tags)
      $0.setEntry("a", .int(2), dog1, RuleSession.scores)
    }
    session.write {
      $0.insertValue(.string("a"), dog1, RuleSession.tags)
      $0.setEntry("a", .int(1), dog1, RuleSession.scores)
    }
    #expect(session.deliver() == [])
  }

  // MARK: Projections

  private var fields: [ProjectionField] {
    [
      ProjectionField(name: "title", path: RuleSession.path("name")),
      ProjectionField(name: "city", path: RuleSession.path("owner.name")),
      ProjectionField(name: "pups", path: RuleSession.path("siblings")),
    ]
  }

  @Test func `a projection reports its names in its order, and nothing else (7.2, 7.3)`() {
    session.observe("c", .projection(dog1, fields: fields, keyPaths: nil))
    session.observe("city", .projection(dog1, fields: fields, keyPaths: ["city"]))
    session.observe("none", .projection(dog1, fields: fields, keyPaths: []))
    session.write { $0.setAge(dog1, 9) }
    #expect(session.deliver() == [])
    session.write {
      $0.addSibling(dog1, dog2)
      $0.setOwner(dog1, person)
      $0.set(RuleSession.name, of: dog1, to: .string("M"))
    }
    #expect(
      session.deliver() == [
        "c: change title Max->M, city nil->Ann, pups", "city: change city nil->Ann",
      ])
    session.write { $0.setAge(dog2, 9) }
    #expect(session.deliver() == [])
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == ["c: deleted", "city: deleted", "none: deleted"])
  }

  @Test func `a name whose value is equal before and after is not reported (7.3)`() {
    session.write {
      $0.setOwner(dog1, person)
      $0.set(RuleSession.name, of: otherPerson, to: .string("Ann"))
    }
    session.observe("c", .projection(dog1, fields: fields, keyPaths: nil))
    session.write { $0.setOwner(dog1, otherPerson) }
    #expect(session.deliver() == [])
    session.write { $0.set(RuleSession.name, of: person, to: .string("Eve")) }
    #expect(session.deliver() == [])
    session.write { $0.delete(otherPerson) }
    #expect(session.deliver() == ["c: change city Ann->nil"])
  }

  /// A projection with a collection behind a link, and one through a collection.
  private func observePack() {
    let pack = PropertyPath(
      root: RuleSession.dog,
      steps: RuleSession.path("owner").steps + [
        PropertyPath.Step(
          RuleSession.person, .backlinks(origin: RuleSession.dog, property: RuleSession.owner))
      ])
    let fields = [
      ProjectionField(name: "pack", path: pack),
      ProjectionField(name: "names", path: RuleSession.path("siblings.name")),
      ProjectionField(name: "pups", path: RuleSession.path("siblings")),
    ]
    session.observe("c", .projection(dog1, fields: fields, keyPaths: nil))
  }

  @Test func `a collection that a link leads to is reported where its contents differ (7.3)`() {
    session.write { $0.setOwner(dog2, person) }
    observePack()
    session.write { $0.setOwner(dog1, person) }
    #expect(session.deliver() == ["c: change pack"])
    // The pack of the other is the same two dogs, in the end.
    session.write {
      $0.setOwner(dog1, otherPerson)
      $0.setOwner(dog2, otherPerson)
    }
    #expect(session.deliver() == [])
    session.write { $0.delete(otherPerson) }
    #expect(session.deliver() == ["c: change pack"])
  }

  @Test func `a collection that several commits leave as it was is not reported (7.3, 1.5)`() {
    session.write { $0.addSibling(dog1, dog2) }
    observePack()
    session.write { $0.remove(at: 0, dog1, RuleSession.siblings) }
    session.write { $0.addSibling(dog1, dog2) }
    #expect(session.deliver() == [])
    session.write { $0.set(RuleSession.name, of: dog3, to: .string("Rex")) }
    session.write { $0.set(RuleSession.name, of: dog2, to: .string("Rex")) }
    #expect(session.deliver() == [])
    // Another dog of the same name.
    session.write { $0.replace(at: 0, .link(dog3), dog1, RuleSession.siblings) }
    #expect(session.deliver() == ["c: change pups"])
    session.write { $0.set(RuleSession.name, of: dog3, to: .string("Leo")) }
    #expect(session.deliver() == ["c: change names"])
  }
}
