import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

struct CollectionRuleTests {
  private let session = RuleSession(ages: [3, 5, 7], persons: 1)

  private func collection(
    _ owner: ObjectID, _ property: PropertyID, _ filter: RowFilter = .standard
  ) -> ObservedTarget {
    .collection(owner: owner, property: property, filter)
  }

  private func rows(
    _ owner: ObjectID, _ property: PropertyID, _ predicate: BoundPredicate = .always,
    _ stages: [QueryStage] = []
  ) -> ObservedTarget {
    .collectionResults(
      owner: owner, property: property,
      BoundQuery(classID: RuleSession.dog, predicate: predicate, stages: stages), .standard)
  }

  // MARK: Sets

  @Test func `a set reports its rows by rank, in order of value (4.1, 4.8)`() {
    session.write {
      for tag in ["b", "d", "f"] { $0.insertValue(.string(tag), dog1, RuleSession.tags) }
    }
    session.observe("t", collection(dog1, RuleSession.tags))
    #expect(session.deliver() == ["t: initial 3"])
    session.write {
      for tag in ["a", "e", "g"] { $0.insertValue(.string(tag), dog1, RuleSession.tags) }
      $0.removeValue(.string("b"), dog1, RuleSession.tags)
    }
    #expect(session.deliver() == ["t: -[0] +[0, 2, 4] ~[]"])
    session.write { $0.removeValue(.string("a"), dog1, RuleSession.tags) }
    session.write { $0.insertValue(.string("a"), dog1, RuleSession.tags) }
    #expect(session.deliver() == [])
  }

  @Test func `a set of links reports its objects by rank (2.4, 4.4)`() {
    session.write {
      $0.insertValue(.link(dog1), dog1, RuleSession.friends)
      $0.insertValue(.link(dog3), dog1, RuleSession.friends)
    }
    session.observe("t", collection(dog1, RuleSession.friends, .deep(limit: 0)))
    session.deliver()
    session.write {
      $0.insertValue(.link(dog2), dog1, RuleSession.friends)
      $0.setAge(dog3, 8)
      $0.setAge(dog2, 8)
    }
    #expect(session.deliver() == ["t: -[] +[1] ~[\"0>0\", \"1>2\"]"])
    session.write { $0.delete(dog2) }
    #expect(session.deliver() == ["t: -[1] +[] ~[\"0>0\"]"])
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == ["t: -[0, 1] +[] ~[] owner deleted"])
  }

  // MARK: Maps

  @Test func `a map reports keys in their order (4.7)`() {
    session.write {
      for (key, value) in [("b", 2), ("d", 4), ("f", 6)] {
        $0.setEntry(key, .int(value), dog1, RuleSession.scores)
      }
    }
    session.observe("t", collection(dog1, RuleSession.scores))
    #expect(session.deliver() == ["t: initial 3"])
    session.write {
      $0.setEntry("b", .int(20), dog1, RuleSession.scores)
      $0.removeEntry("d", dog1, RuleSession.scores)
      $0.setEntry("c", .int(1), dog1, RuleSession.scores)
      $0.setEntry("a", .int(1), dog1, RuleSession.scores)
    }
    #expect(session.deliver() == ["t: -[\"d\"] +[\"a\", \"c\"] ~[\"b\"]"])
    session.write { $0.delete(dog1) }
    #expect(
      session.deliver() == ["t: -[\"a\", \"b\", \"c\", \"f\"] +[] ~[] owner deleted"])
  }

  @Test(arguments: [(1, false), (2, true)])
  func `a key removed and set again is compared by value (4.4)`(value: Int, isNotified: Bool) {
    session.write { $0.setEntry("a", .int(1), dog1, RuleSession.scores) }
    session.observe("t", collection(dog1, RuleSession.scores))
    session.observe("object", .object(dog1, .everything))
    session.deliver()
    session.write { $0.removeEntry("a", dog1, RuleSession.scores) }
    session.write { $0.setEntry("a", .int(value), dog1, RuleSession.scores) }
    let map = isNotified ? ["t: -[] +[] ~[\"a\"]"] : []
    #expect(session.deliver() == map + ["object: change scores"])
  }

  @Test func `a value set and set back in two commits is a modification (4.5)`() {
    session.write { $0.setEntry("a", .int(1), dog1, RuleSession.scores) }
    session.observe("t", collection(dog1, RuleSession.scores))
    session.deliver()
    session.write { $0.setEntry("a", .int(2), dog1, RuleSession.scores) }
    session.write { $0.setEntry("a", .int(1), dog1, RuleSession.scores) }
    #expect(session.deliver() == ["t: -[] +[] ~[\"a\"]"])
  }

  @Test func `a map of links reports the keys of an object that changed or was deleted (2.4, 4.4)`()
  {
    session.write {
      for key in ["b", "a"] { $0.setEntry(key, .link(dog2), dog1, RuleSession.mates) }
      $0.setEntry("c", .link(dog3), dog1, RuleSession.mates)
    }
    session.observe("t", collection(dog1, RuleSession.mates, .deep(limit: 0)))
    session.deliver()
    session.write { $0.setAge(dog2, 9) }
    #expect(session.deliver() == ["t: -[] +[] ~[\"a\", \"b\"]"])
    session.write { $0.delete(dog3) }
    #expect(session.deliver() == ["t: -[] +[] ~[\"c\"]"])
  }

  // MARK: Backlinks

  @Test func `backlinks report origins by creation, once for each link (4.8, 2.4)`() {
    session.write {
      $0.setOwner(dog1, person)
      $0.setOwner(dog3, person)
    }
    session.observe("t", collection(person, RuleSession.dogs))
    #expect(session.deliver() == ["t: initial 2"])
    session.write { $0.setOwner(dog2, person) }
    #expect(session.deliver() == ["t: -[] +[1] ~[]"])
    session.write {
      $0.setOwner(dog1, nil)
      $0.setAge(dog3, 1)
    }
    #expect(session.deliver() == ["t: -[0] +[] ~[\"2>1\"]"])
    session.write { $0.set(RuleSession.name, of: person, to: .string("Eve")) }
    #expect(session.deliver() == ["t: -[] +[] ~[\"0>0\", \"1>1\"]"])
    session.write { $0.delete(person) }
    #expect(session.deliver() == ["t: -[0, 1] +[] ~[] owner deleted"])
  }

  @Test func `a key path names the backlinks property, of an object too (3.4, 3.6)`() {
    let path = PropertyPath(
      root: RuleSession.person,
      steps: [
        PropertyPath.Step(
          RuleSession.person,
          .backlinks(origin: RuleSession.dog, property: RuleSession.owner))
      ])
    session.observe("o", .object(person, .keyPaths([path], isExclusive: false)))
    session.write { $0.setOwner(dog1, person) }
    #expect(session.deliver() == ["o: change dogs"])
    session.write { $0.setAge(dog1, 1) }
    #expect(session.deliver() == [])
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == ["o: change dogs"])
  }

  @Test func `a link nested in a value of any type leads to its object (2.4)`() {
    let session = RuleSession(ages: [3, 5], isMixed: true)
    session.write { $0.set(RuleSession.extra, of: dog1, to: .list([.map(["x": .link(dog2)])])) }
    session.observe("t", .results(BoundQuery(classID: RuleSession.dog), .deep(limit: 1)))
    session.deliver()
    session.write { $0.setAge(dog2, 1) }
    #expect(session.deliver() == ["t: -[] +[] ~[\"0>0\", \"1>1\"]"])
  }

  // MARK: Results of collections

  @Test func `results of a list keep duplicates and its order (4.8)`() {
    session.write {
      for dog in [dog3, dog1, dog3, dog2] { $0.addSibling(dog1, dog) }
    }
    session.observe("t", rows(dog1, RuleSession.siblings, RuleSession.older(than: 4)))
    #expect(session.deliver() == ["t: initial 3"])
    session.write { $0.setAge(dog1, 9) }
    #expect(session.deliver() == ["t: -[] +[1] ~[]"])
    session.write { $0.move(from: 3, to: 0, dog1, RuleSession.siblings) }
    #expect(session.deliver().map { $0.contains("-[3] +[0]") } == [true])
    session.write { $0.setAge(dog3, 1) }
    #expect(session.deliver() == ["t: -[1, 3] +[] ~[\"2>1\"]"])
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == ["t: -[0, 1] +[] ~[] owner deleted"])
  }

  @Test func `ties of sorted results of a list keep the list's own order (4.6, 4.8)`() {
    let byAge = SortOrder(keys: [.init(path: RuleSession.path("age"), isAscending: true)])
    session.write {
      for dog in [dog3, dog1, dog2] {
        $0.setAge(dog, 5)
        $0.addSibling(dog1, dog)
      }
    }
    session.observe("t", rows(dog1, RuleSession.siblings, .always, [.sort(byAge)]))
    #expect(session.deliver() == ["t: initial 3"])
    session.write { $0.move(from: 0, to: 2, dog1, RuleSession.siblings) }
    #expect(session.deliver().map { $0.contains("-[0] +[2]") } == [true])
    session.write { $0.setAge(dog3, 1) }
    #expect(session.deliver().map { $0.contains("-[2] +[0]") } == [true])
  }

  @Test func `results of backlinks and sets follow their rows (2.5, 4.9)`() {
    session.write {
      for dog in [dog1, dog2, dog3] {
        $0.setOwner(dog, person)
        $0.insertValue(.link(dog), dog1, RuleSession.friends)
      }
    }
    session.observe("back", rows(person, RuleSession.dogs, RuleSession.older(than: 3)))
    session.observe("set", rows(dog1, RuleSession.friends, .always, [.limit(2)]))
    #expect(session.deliver() == ["back: initial 2", "set: initial 2"])
    session.write {
      $0.setOwner(dog2, nil)
      $0.removeValue(.link(dog1), dog1, RuleSession.friends)
    }
    let notified = session.deliver()
    #expect(notified.count == 2 && notified[0].hasPrefix("back: -[0] +[] "))
    #expect(notified[1].hasPrefix("set: -[0] +[1] "))
    session.write { $0.delete(person) }
    #expect(session.deliver().contains { $0 == "back: -[0] +[] ~[] owner deleted" })
  }

  @Test func `an owner deleted before the first call is reported after it (2.5)`() {
    session.observe("map", collection(dog1, RuleSession.scores))
    session.observe("rows", rows(dog1, RuleSession.siblings))
    session.write { $0.delete(dog1) }
    #expect(
      session.deliver() == [
        "map: initial 0", "map: -[] +[] ~[] owner deleted",
        "rows: initial 0", "rows: -[] +[] ~[] owner deleted",
      ])
  }
}
