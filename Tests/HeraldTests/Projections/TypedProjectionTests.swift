import Dispatch
import Herald
import Synchronization
import Testing

class Hobbit: Object {
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var home: HobbitHole?
  @Persisted var friends: List<Hobbit>
  @Persisted(originProperty: "friends") var admirers: LinkingObjects<Hobbit>
  var fullName: String { firstName + " " + lastName }
}

class HobbitHole: EmbeddedObject { @Persisted var city = "" }

class HobbitProjection: Projection<Hobbit> {
  @Projected(\Hobbit.firstName) var firstName
  @Projected(\Hobbit.home?.city) var homeCity
  @Projected(\Hobbit.friends.projectTo.firstName) var friends: ProjectedCollection<String>
  var shout: String { firstName.uppercased() }
}

final class AdmiredProjection: HobbitProjection {
  @Projected(\Hobbit.admirers.projectTo.lastName) var admirers: ProjectedCollection<String>
}

class FullNameProjection: Projection<Hobbit> {
  @Projected(\Hobbit.fullName) var name
}

private final class OtherNamesProjection: Projection<Hobbit> {
  @Projected(\Hobbit.lastName) var firstName
}

private actor Ring {}

@Suite(.serialized) struct TypedProjectionTests {
  private func shire() throws -> (Store, HobbitProjection) {
    let store = try Store()
    try store.write {
      let merry = Hobbit()
      merry.firstName = "Merry"
      let frodo = Hobbit()
      frodo.firstName = "Frodo"
      frodo.home = HobbitHole()
      frodo.home?.city = "Hobbiton"
      frodo.friends.append(merry)
      store.add(frodo)
    }
    let found = store.objects(HobbitProjection.self).first { $0.firstName == "Frodo" }
    return (store, try #require(found))
  }

  @Test func `a projection reads and assigns its object's properties, managed or not`() throws {
    let (store, frodo) = try shire()
    #expect(frodo.homeCity == "Hobbiton" && Array(frodo.friends) == ["Merry"])
    #expect(frodo == HobbitProjection(projecting: frodo.rootObject))
    #expect(frodo != AdmiredProjection(projecting: frodo.rootObject) as HobbitProjection)
    try store.write {
      frodo.firstName = "Underhill"
      frodo.homeCity = "Bree"
    }
    #expect(frodo.rootObject.home?.city == "Bree")
    #expect(
      "\(frodo)" == "HobbitProjection { firstName = Underhill; homeCity = Bree; friends = [Merry] }"
    )

    let local = AdmiredProjection(projecting: Hobbit())
    #expect(local.homeCity == nil && local.friends.isEmpty && local.admirers.isEmpty)
    local.rootObject.home = HobbitHole()
    local.homeCity = "Buckland"
    #expect(local.rootObject.home?.city == "Buckland" && !local.isInvalidated)
  }

  @Test func `a field over a nil link and nil for a value fail the write`() throws {
    let (store, frodo) = try shire()
    let expected = HeraldError.fieldReadOnly("homeCity", projection: "HobbitProjection")
    #expect(throws: expected) { try store.write { frodo.homeCity = nil } }
    try store.write { frodo.rootObject.home = nil }
    #expect(throws: expected) { try store.write { frodo.homeCity = "Bree" } }
  }

  @Test func `an observer receives the changes of its fields under the projection's names`() throws
  {
    let (store, frodo) = try shire()
    var received: [String] = []
    let record = { (name: String) in
      { (change: ObjectChange<HobbitProjection>) in
        switch change {
        case .change(let projection, let properties):
          for property in properties {
            received.append("\(name) \(property.name) \(property.newValue ?? "nil")")
          }
          #expect(projection == frodo)
        case .deleted: received.append("\(name) deleted")
        case .error(let error): received.append("\(name) \(error)")
        }
      }
    }
    let tokens = [
      frodo.observe(record("all")),
      frodo.observe(keyPaths: ["firstName"], record("first")),
      frodo.observe(keyPaths: [\HobbitProjection.homeCity], record("city")),
      frodo.observe(keyPaths: ["town"], record("none")),
    ]
    store.refresh()
    #expect(received == ["none projection 'HobbitProjection' has no field 'town'"])
    received = []
    try store.write {
      frodo.firstName = "Underhill"
      frodo.rootObject.lastName = "Baggins"
    }
    store.refresh()
    try store.write { frodo.rootObject.home = nil }
    store.refresh()
    try store.write { frodo.rootObject.friends[0].firstName = "Pippin" }
    store.refresh()
    try store.write { store.delete(frodo.rootObject) }
    store.refresh()
    #expect(
      received == [
        "all firstName Underhill", "first firstName Underhill", "all homeCity nil",
        "city homeCity nil", "all friends [Pippin]", "all deleted", "first deleted", "city deleted",
      ])
    #expect(frodo.isInvalidated && tokens.count == 4)
  }

  @Test
  @MainActor func `key paths of a projection are fields on queues, on actors and in sequences`()
    async throws
  {
    let (store, frodo) = try shire()
    var changes = frodo.changes(keyPaths: [\.homeCity]).makeAsyncIterator()
    try store.write {
      frodo.firstName = "Underhill"
      frodo.homeCity = "Bree"
    }
    guard case .change(let found, let properties) = await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(found.firstName == "Underhill" && properties.map(\.name) == ["homeCity"])

    let reasons = Mutex<[String]>([])
    let note = { @Sendable (change: ObjectChange<HobbitProjection>) in
      if case .error(let error) = change { reasons.withLock { $0.append("\(error)") } }
    }
    let queue = DispatchQueue(label: "observers")
    let onQueue = frodo.observe(keyPaths: [\.shout], on: queue, note)
    queue.sync {}
    let onActor = await frodo.observe(keyPaths: [\.shout], on: Ring()) { note($1) }
    let reason =
      "the key path from 'HobbitProjection' to a value of type 'String' is no @Projected property"
    #expect(reasons.withLock { $0 } == [reason, reason])
    withExtendedLifetime((onQueue, onActor)) {}
  }

  @Test func `rows of projections are modified when a field changes, and key paths are fields`()
    throws
  {
    let (store, frodo) = try shire()
    var received: [String] = []
    let results = store.objects(HobbitProjection.self)
    let record = { (name: String) in
      { (change: CollectionChange<Results<HobbitProjection>>) in
        if case .update(_, _, let insertions, let modifications) = change {
          received.append("\(name) \(insertions) \(modifications)")
        }
        if case .error(let error) = change { received.append("\(name) \(error)") }
      }
    }
    let tokens = [
      results.observe(record("all")),
      results.observe(keyPaths: ["homeCity"], record("city")),
      results.observe(keyPaths: [\.firstName], record("first")),
      results.observe(keyPaths: ["lastName"], record("error")),
    ]
    store.refresh()
    received = []
    try store.write { frodo.rootObject.lastName = "Baggins" }
    store.refresh()
    try store.write { frodo.homeCity = "Bree" }
    store.refresh()
    try store.write { frodo.firstName = "Underhill" }
    store.refresh()
    #expect(received == ["all [] [0]", "city [] [0]", "all [] [0]", "first [] [0]"])
    #expect(tokens.count == 4)
  }

  @Test func `a projected collection is observed as its collection is`() throws {
    let (store, frodo) = try shire()
    var received: [String] = []
    let token = frodo.friends.observe { change in
      switch change {
      case .initial(let names): received.append("\(names)")
      case .update(let names, let deletions, let insertions, let modifications):
        received.append("\(names) \(deletions) \(insertions) \(modifications)")
      case .error(let error): received.append("\(error)")
      }
    }
    store.refresh()
    let merry = frodo.rootObject.friends[0]
    try store.write { merry.lastName = "Brandybuck" }
    store.refresh()
    try store.write { merry.firstName = "Meriadoc" }
    store.refresh()
    try store.write { frodo.rootObject.friends.append(frodo.rootObject) }
    store.refresh()
    #expect(
      received == [
        "[Merry]", "[Meriadoc] [] [] [0]", "[Meriadoc, Frodo] [] [1] []",
      ])
    let admired = AdmiredProjection(projecting: merry)
    #expect(admired.admirers.count == 1 && admired.admirers.first == "")
    withExtendedLifetime(token) {}
  }

  @Test func `queries over projections are in their names`() throws {
    let (store, frodo) = try shire()
    try store.write {
      let sam = Hobbit()
      sam.firstName = "Sam"
      sam.friends.append(frodo.rootObject)
      sam.friends.append(frodo.rootObject.friends[0])
      store.add(sam)
    }
    let all = store.objects(HobbitProjection.self)
    func names(_ results: Results<HobbitProjection>) -> [String] { results.map(\.firstName) }
    #expect(names(all.where { $0.firstName == "Sam" }) == ["Sam"])
    #expect(names(all.where { $0.homeCity == "Hobbiton" && $0.firstName != "Sam" }) == ["Frodo"])
    #expect(names(all.where { $0.homeCity == nil }) == ["Merry", "Sam"])
    #expect(names(all.where { $0.friends.contains("Merry") }) == ["Frodo", "Sam"])
    #expect(names(all.where { $0.friends == "Frodo" }) == ["Sam"])
    #expect(names(all.where { $0.friends.count == 1 }) == ["Frodo"])
    #expect(names(all.filter("firstName BEGINSWITH %@ OR homeCity == nil", "F")).count == 3)
    #expect(names(try all.query("ANY friends == 'Frodo'")) == ["Sam"])
    #expect(names(all.sorted(by: \.firstName, ascending: false)) == ["Sam", "Merry", "Frodo"])
    #expect(names(all.sorted(byKeyPath: "firstName")) == ["Frodo", "Merry", "Sam"])
    #expect(
      names(all.sorted(by: [SortDescriptor(keyPath: \HobbitProjection.homeCity), "firstName"]))
        == ["Merry", "Sam", "Frodo"])
    #expect(names(all.distinct(by: ["homeCity"])).count == 2)
    #expect(names(all.distinct(by: [\.homeCity, \.firstName])).count == 3)
    #expect(all.values(\.homeCity) == ["Hobbiton", nil, nil])
    #expect(all.index(matching: { $0.firstName == "Sam" }) == 2)
    #expect(all.sorted(by: \.firstName).index(matching: "firstName == 'Merry'") == 1)
    let chained = all.where { $0.homeCity == nil }.sorted(by: \.firstName, ascending: false)
    #expect(names(chained.filter("friends.@count > 1")) == ["Sam"])
  }

  @Test func `a name that is no field is one of the projected class`() throws {
    let (store, frodo) = try shire()
    try store.write {
      let sam = Hobbit()
      (sam.firstName, sam.lastName) = ("Sam", "Gamgee")
      store.add(sam)
      frodo.rootObject.lastName = "Baggins"
    }
    let all = store.objects(HobbitProjection.self)
    func names(_ results: Results<HobbitProjection>) -> [String] { results.map(\.firstName) }
    #expect(names(all.filter("lastName BEGINSWITH 'G'")) == ["Sam"])
    #expect(names(all.filter("home.city == 'Hobbiton' AND homeCity != nil")) == ["Frodo"])
    let sorted = all.sorted(byKeyPath: "lastName", ascending: false)
    #expect(names(sorted) == ["Sam", "Frodo", "Merry"])
    #expect(all.index(matching: "lastName == 'Gamgee'") == 2)
    #expect(throws: QueryError.self) { try all.query("fullName == ''") }
    #expect(throws: QueryError.self) { try all.query("friends.lastName == ''") }
    let others = store.objects(OtherNamesProjection.self)
    #expect(others.filter("firstName == 'Gamgee'").map(\.firstName) == ["Gamgee"])
  }

  @Test func `a query over projections is observed in their names`() throws {
    let (store, frodo) = try shire()
    var received: [String] = []
    let homeless = store.objects(HobbitProjection.self).where { $0.homeCity == nil }
      .sorted(by: \.firstName)
    let token = homeless.observe { change in
      if case .update(let rows, let deletions, let insertions, let modifications) = change {
        let names = rows.map(\.firstName).joined(separator: ",")
        received.append("\(names) \(deletions) \(insertions) \(modifications)")
      }
    }
    store.refresh()
    try store.write { frodo.rootObject.home = nil }
    store.refresh()
    try store.write { frodo.rootObject.lastName = "Baggins" }
    store.refresh()
    try store.write { frodo.firstName = "Bilbo" }
    store.refresh()
    #expect(received == ["Frodo,Merry [] [0] []", "Bilbo,Merry [] [] [0]"])
    withExtendedLifetime(token) {}
  }

  @Test func `7.3: a row of a projection is modified if what it shows differs`() throws {
    let (store, frodo) = try shire()
    var received: [[Int]] = []
    let token = store.objects(HobbitProjection.self).sorted(by: \.firstName).observe { change in
      if case .update(_, _, _, let modifications) = change { received.append(modifications) }
    }
    store.refresh()
    try store.write {
      let other = Hobbit()
      other.firstName = "Merry"
      store.add(other)
    }
    store.refresh()
    received = []
    let merries = store.objects(Hobbit.self).where { $0.firstName == "Merry" }
    try store.write {
      frodo.rootObject.friends[0] = merries[1]
      frodo.rootObject.home = HobbitHole()
      frodo.homeCity = "Hobbiton"
    }
    store.refresh()
    #expect(received == [])
    try store.write { merries[1].firstName = "Pippin" }
    store.refresh()
    #expect(received == [[0, 2]])
    withExtendedLifetime(token) {}
  }

  @Test func `a class that projects a computed property cannot be used`() throws {
    let store = try Store()
    var received: String?
    let token = store.objects(FullNameProjection.self).observe {
      if case .error(let error) = $0 { received = "\(error)" }
    }
    store.refresh()
    #expect(received?.contains("is no @Persisted property") == true)
    #expect(throws: KeyPathError.self) { try HobbitProjection._fieldName(of: \.shout) }
    #expect(try AdmiredProjection._fieldName(of: \.firstName) == "firstName")
    #expect(try AdmiredProjection._path(of: "homeCity") == "home.city")
    withExtendedLifetime(token) {}
  }
}
