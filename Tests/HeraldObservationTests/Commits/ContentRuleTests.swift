import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

@testable import TestModel

struct ContentRuleTests {
  private let session = RuleSession(ages: [3, 5])

  private func siblings(_ owner: ObjectID, _ filter: RowFilter = .standard) -> ObservedTarget {
    .collection(owner: owner, property: RuleSession.siblings, filter)
  }

  private func dogs(_ filter: RowFilter, _ stages: [QueryStage] = []) -> ObservedTarget {
    .results(BoundQuery(classID: RuleSession.dog, stages: stages), filter)
  }

  @Test func `a deletion replaces other changes, and ends the token (2.3)`() {
    let token = session.observe("max", .object(dog1, .keyPaths([], isExclusive: false)))
    session.write { $0.setAge(dog1, 4) }
    #expect(session.deliver() == [])
    session.write { $0.setAge(dog1, 5) }
    session.write { $0.delete(dog1) }
    #expect(session.observatory.isLive(token))
    #expect(session.deliver() == ["max: deleted"])
    #expect(!session.observatory.isLive(token))
  }

  @Test func `changes are reported in the order of the schema, lists by name (2.3)`() {
    session.observe("max", .object(dog1, .everything))
    session.write {
      $0.addSibling(dog1, dog2)
      $0.setAge(dog1, 4)
      $0.set(RuleSession.name, of: dog1, to: .string("M"))
    }
    #expect(session.deliver() == ["max: change name Max->M, age 3->4, siblings"])
  }

  @Test func `five links away is silent (2.4)`() {
    session.write {
      var last = $0.addPerson("p1")
      $0.setOwner(dog1, last)
      for place in 2...5 {
        let next = $0.addPerson("p\(place)")
        $0.setOwner(last, next)
        last = next
      }
    }
    session.observe("four", dogs(.standard))
    session.observe("five", dogs(.deep(limit: 5)))
    session.observe("own", dogs(.deep(limit: 0)))
    session.deliver()
    session.write { $0.setAge(RuleSession.person(5), 31) }
    #expect(session.deliver() == ["five: -[] +[] ~[\"0>0\"]"])
    session.write { $0.setAge(RuleSession.person(4), 31) }
    #expect(session.deliver() == ["four: -[] +[] ~[\"0>0\"]", "five: -[] +[] ~[\"0>0\"]"])
    session.write { $0.setOwner(dog1, nil) }
    #expect(session.deliver().count == 3)
  }

  @Test func `a list whose owner is deleted is reported once, also when empty (2.5)`() {
    session.write { $0.addSibling(dog1, dog2) }
    session.observe("full", siblings(dog1))
    let empty = session.observe("empty", siblings(dog2))
    #expect(session.deliver() == ["full: initial 1", "empty: initial 0"])
    session.write {
      $0.delete(dog1)
      $0.delete(dog2)
    }
    #expect(
      session.deliver() == [
        "full: -[0] +[] ~[] owner deleted", "empty: -[] +[] ~[] owner deleted",
      ])
    #expect(!session.observatory.isLive(empty))
  }

  @Test
  func `key paths restrict modifications only, and their last target is not entered (3.2, 3.3)`() {
    session.write { $0.addSibling(dog1, dog2) }
    session.observe("siblings", dogs(.keyPaths([RuleSession.path("siblings")])))
    session.observe("names", dogs(.keyPaths([RuleSession.path("siblings.name")])))
    session.observe("none", dogs(.keyPaths([])))
    session.deliver()
    session.write { $0.set(RuleSession.name, of: dog2, to: .string("R")) }
    #expect(session.deliver() == ["names: -[] +[] ~[\"0>0\"]"])
    session.write { $0.addSibling(dog1, dog1) }
    #expect(
      session.deliver() == ["siblings: -[] +[] ~[\"0>0\"]", "names: -[] +[] ~[\"0>0\"]"])
    session.write { $0.addDog("Leo") }
    #expect(session.deliver().count == 3)
  }

  @Test func `backlinks receive an origin that is added, changed and removed (3.4)`() {
    session.observe(
      "ends", .object(dog2, .keyPaths([RuleSession.path("siblingOf")], isExclusive: false)))
    session.observe("rows", dogs(.keyPaths([RuleSession.path("siblingOf.name")])))
    session.deliver()
    let linked = "ends: change @links.Dog.siblings"
    session.write { $0.addSibling(dog1, dog2) }
    #expect(session.deliver() == [linked, "rows: -[] +[] ~[\"1>1\"]"])
    session.write { $0.set(RuleSession.name, of: dog1, to: .string("M")) }
    #expect(session.deliver() == ["rows: -[] +[] ~[\"1>1\"]"])
    session.write { $0.remove(at: 0, dog1, RuleSession.siblings) }
    #expect(session.deliver() == [linked, "rows: -[] +[] ~[\"1>1\"]"])
    session.write { $0.addSibling(dog1, dog2) }
    session.deliver()
    session.write { $0.delete(dog1) }
    #expect(session.deliver() == [linked, "rows: -[0] +[] ~[\"1>0\"]"])
  }

  @Test func `tokens on one object share key paths unless exclusive (3.5, 3.6)`() {
    session.write { $0.setOwner(dog1, $0.addPerson("Ann")) }
    let paths = { (names: String...) in names.map { RuleSession.path($0) } }
    session.observe("name", .object(dog1, .keyPaths(paths("name"), isExclusive: false)))
    session.observe("owner", .object(dog1, .keyPaths(paths("owner.name"), isExclusive: false)))
    session.observe("alone", .object(dog1, .keyPaths(paths("age"), isExclusive: true)))
    session.observe("none", .object(dog1, .keyPaths([], isExclusive: false)))
    session.write { $0.set(RuleSession.name, of: RuleSession.person(1), to: .string("Bea")) }
    #expect(session.deliver() == ["name: change owner", "owner: change owner"])
    session.write { $0.setAge(dog1, 4) }
    #expect(session.deliver() == ["alone: change age 3->4"])
  }

  @Test func `a list changed and changed back is silent for the object (4.4)`() {
    session.write { $0.addSibling(dog1, dog2) }
    session.observe("max", .object(dog1, .everything))
    session.observe("rows", dogs(.standard))
    session.observe("list", siblings(dog1))
    session.deliver()
    session.write {
      $0.remove(at: 0, dog1, RuleSession.siblings)
      $0.addSibling(dog1, dog2)
    }
    #expect(session.deliver() == ["list: -[0] +[0] ~[]"])
  }

  @Test func `an equal value is no change, but commits are not compared end to end (4.5)`() {
    session.observe("max", .object(dog1, .everything))
    session.observe("rows", dogs(.standard))
    session.deliver()
    session.write {
      $0.setAge(dog1, 9)
      $0.setAge(dog1, 3)
    }
    #expect(session.deliver() == [])
    session.write { $0.setAge(dog1, 9) }
    session.write { $0.setAge(dog1, 3) }
    #expect(session.deliver() == ["max: change age 3->3", "rows: -[] +[] ~[\"0>0\"]"])
  }

  @Test func `of rows that swap positions the fewest move, the lowest stay (4.6)`() {
    let byAge = QueryStage.sort(
      SortOrder(keys: [SortOrder.Key(path: RuleSession.path("age"), isAscending: true)]))
    session.observe("rows", dogs(.standard, [byAge]))
    session.deliver()
    session.write {
      $0.setAge(dog1, 5)
      $0.setAge(dog2, 3)
    }
    #expect(session.deliver() == ["rows: -[1] +[0] ~[\"0>1\"] moves [\"1>0\"]"])
    session.write { $0.setAge(dog1, 1) }
    #expect(session.deliver() == ["rows: -[1] +[0] ~[] moves [\"1>0\"]"])
  }

  @Test func `rows cross the edge of a limit (4.9)`() {
    let byAge = QueryStage.sort(
      SortOrder(keys: [SortOrder.Key(path: RuleSession.path("age"), isAscending: true)]))
    session.observe("top", dogs(.standard, [byAge, .limit(1)]))
    session.deliver()
    session.write { $0.addDog("Leo", age: 1) }
    #expect(session.deliver() == ["top: -[0] +[0] ~[]"])
    session.write { $0.delete(RuleSession.dog(3)) }
    #expect(session.deliver() == ["top: -[0] +[0] ~[]"])
    session.write { $0.setAge(dog2, 6) }
    #expect(session.deliver() == [])
  }

  @Test func `a class that a change of the schema makes reachable is followed (2.4)`() throws {
    session.observe("rows", dogs(.standard))
    session.deliver()
    let toy = ClassID(3)
    var classes = session.reader.state.schema.classes
    let dog = try #require(classes.first)
    let link = PropertySchema(id: PropertyID(9), name: "toy", type: PropertyType(.link(toy)))
    classes[0] = ClassSchema(id: dog.id, name: dog.name, properties: dog.properties + [link])
    classes.append(
      ClassSchema(
        id: toy, name: "Toy",
        properties: [
          PropertySchema(id: RuleSession.name, name: "name", type: PropertyType(.string))
        ]))
    session.reader.state.schema = Schema(classes: classes)
    var record = session.commit { _ in }
    record.schemaChanged = true
    session.observatory.take(record, session.reader)
    session.write { write in
      let ball = write.create(toy, RecordedObject(values: [RuleSession.name: .string("ball")]))
      write.set(link.id, of: dog1, to: .link(ball))
    }
    #expect(session.deliver() == ["rows: -[] +[] ~[\"0>0\"]"])
    session.write { $0.set(RuleSession.name, of: ObjectID(toy, 1), to: .string("bone")) }
    #expect(session.deliver() == ["rows: -[] +[] ~[\"0>0\"]"])
  }
}
