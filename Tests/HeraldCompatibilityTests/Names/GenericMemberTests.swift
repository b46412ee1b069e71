import Dispatch
import Foundation
import HeraldCompatibility
import Synchronization
import Testing

private final class Duck: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "ducks") var ponds: LinkingObjects<Pond>
}

private final class Pond: Object {
  @Persisted var name = "pond"
  @Persisted var ducks: List<Duck>
  @Persisted var eggs: Map<String, Int>
  @Persisted var marks: MutableSet<Int>
}

private final class PondName: Projection<Pond> {
  @Projected(\Pond.name) var name
}

private func text(_ collection: some RealmCollection) -> String { collection.description }

private func add<Keyed: RealmKeyedCollection>(
  _ value: Keyed.Value, _ key: Keyed.Key, to keyed: Keyed
) -> [Keyed.Key] {
  keyed[key] = value
  keyed.updateValue(value, forKey: key)
  return keyed.map(\.key) + keyed.keys
}

private func doubled<Number: Numeric>(_ number: Number) -> Number { number * 2 }

@Suite(.serialized) @MainActor struct GenericMemberTests {
  private let realm: Realm
  private let pond = Pond()

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "ponds"))
    pond.ducks.append(objectsIn: [("a", 1), ("b", 2)].map { Duck(value: [$0.0, $0.1]) })
    try realm.write {
      realm.deleteAll()
      realm.add(pond)
    }
  }

  @Test func `generic code reads and changes collections`() throws {
    #expect(text(List([1, 2])) == "[1, 2]" && text(pond.ducks[0].ponds).hasSuffix("[Pond]"))
    #expect(text(AnyRealmCollection(pond.ducks)) == text(pond.ducks))
    #expect(add(3, "x", to: Map<String, Int>()) == ["x", "x"])
    try realm.write { #expect(add(3, "x", to: pond.eggs) == ["x", "x"]) }
    #expect(pond.eggs.debugDescription == "Map<String, Int> [x: 3]")
  }

  @Test func `anything may be compared by isEqual`() {
    let id = ObjectId(timestamp: Date(timeIntervalSince1970: 77), machineId: 10, processId: 20)
    #expect(id.timestamp.timeIntervalSince1970 == 77 && id.isEqual(id) && !id.isEqual("id"))
    #expect(Decimal128(3).isEqual(Decimal128("3.0")) && !Decimal128(3).isEqual(3))
    #expect(pond.ducks.isEqual(pond.ducks) && !pond.ducks.isEqual(pond.marks))
    #expect(pond.marks.isEqual(pond.marks) && pond.eggs.isEqual(pond.eggs))
    let ducks = realm.objects(Duck.self)
    #expect(ducks.isEqual(ducks) && !ducks.isEqual(nil))
    let name = PondName(projecting: pond)
    #expect(name.isEqual(PondName(projecting: pond)) && !name.isEqual(pond))
    #expect(name.debugDescription == name.description)
    let local = List([1])
    #expect(AnyRealmCollection(pond.ducks) == AnyRealmCollection(pond.ducks))
    #expect(AnyRealmCollection(local) == AnyRealmCollection(local))
    #expect(AnyRealmCollection(local) != AnyRealmCollection(List([1])))
  }

  @Test func `a decimal is made of whole numbers that it holds exactly`() {
    #expect(Decimal128(exactly: 3 as Int64) == 3 && Decimal128(exactly: -5 as Int8) == -5)
    #expect(Decimal128(exactly: UInt64.max)?.description == "18446744073709551615")
    #expect(Decimal128(exactly: Int128.max) == nil && Decimal128(exactly: 0.5) == 0.5)
    #expect(doubled(Decimal128(4)) == 8)
    #expect(Decimal128.min < -1e300 && Decimal128.max > 1e300 && -Decimal128.max == .min)
    #expect(Distance.radians(2)?.radians == 2)
    let options: RealmSwift.StringOptions = .caseInsensitive
    #expect(RealmSwift.GeoPoint(latitude: 91, longitude: 0) == nil && options.rawValue == 1)
  }

  @Test func `sections are compared, frozen and observed on a queue`() throws {
    let sections = realm.objects(Duck.self).sectioned(by: \.age)
    let section = sections[0]
    #expect(sections == sections && section == sections[0] && section != sections[1])
    #expect(sections != realm.objects(Duck.self).sectioned(by: \.age))
    #expect(section.realm == realm && !section.isFrozen && !section.isInvalidated)
    let frozen = section.freeze()
    #expect(frozen.isFrozen && frozen.thaw()?.first?.name == "a")
    let counts = Mutex<[Int]>([])
    let called = DispatchSemaphore(value: 0)
    let token = section.observe(on: DispatchQueue(label: "sections")) { @Sendable change in
      switch change {
      case .initial(let section): counts.withLock { $0.append(section.count) }
      case .update(let section, _, _, _, _, _): counts.withLock { $0.append(section.count) }
      }
      called.signal()
    }
    called.wait()
    try realm.write { realm.add(Duck(value: ["c", 1])) }
    called.wait()
    #expect(counts.withLock(\.self) == [1, 2] && frozen.count == 1)
    token.invalidate()
  }

  @Test func `observers of sections end with the session`() throws {
    var calls = 0
    let token = realm.objects(Duck.self).sectioned(by: \.age).observe { _ in calls += 1 }
    realm.refresh()
    realm.invalidate()
    realm.refresh()
    #expect(calls == 1)
    token.invalidate()
  }

  @Test func `any collection of backlinks is observed, frozen and passed on`() throws {
    let duck = try #require(pond.ducks.first)
    let owners = AnyRealmCollection(duck.ponds)
    var counts: [Int] = []
    let token = owners.observe { change in
      switch change {
      case .initial(let ponds): counts.append(ponds.count)
      case .update(let ponds, _, let insertions, _): counts += [ponds.count, insertions.count]
      case .error(let error): Issue.record(error)
      }
    }
    realm.refresh()
    try realm.write { realm.create(Pond.self, value: ["ducks": [duck]]) }
    realm.refresh()
    token.invalidate()
    #expect(counts == [1, 2, 1])
    #expect(owners.freeze().map(\.name) == ["pond", "pond"])
    let reference = ThreadSafeReference(to: owners)
    #expect(!reference.isInvalidated)
    #expect(realm.resolve(reference)?.count == 2)
    #expect(reference.isInvalidated)
  }

  @Test func `the type of a map's changes is inferred`() throws {
    var seen: [[String]] = []
    func note(_ change: RealmMapChange<Map<String, Int>>) {
      switch change {
      case .initial(let eggs): seen.append(eggs.keys)
      case .update(let eggs, let deletions, let insertions, let modifications):
        seen += [eggs.keys, deletions, insertions, modifications]
      case .error(let error): Issue.record(error)
      }
    }
    try realm.write { pond.eggs["a"] = 1 }
    let tokens = [
      pond.eggs.observe { (change: RealmMapChange) in note(change) },
      pond.eggs.observe(keyPaths: nil, on: nil) { change in
        if case .update(_, let deletions, _, _) = change { seen.append(deletions) }
      },
    ]
    realm.refresh()
    try realm.write {
      pond.eggs["a"] = nil
      pond.eggs["b"] = 2
    }
    realm.refresh()
    for token in tokens { token.invalidate() }
    #expect(seen == [["a"], ["b"], ["a"], ["b"], [], ["a"]])
  }
}
