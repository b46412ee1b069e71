import Foundation
import HeraldCompatibility
import Testing

private final class Leg: EmbeddedObject {
  @Persisted var miles = 0
}

private final class Trip: Object {
  @Persisted var name = ""
  @Persisted var days: List<Int>
  @Persisted var legs: List<Leg>
  @Persisted var costs: Map<String, Int>
  @Persisted var stops: List<Trip>
}

private enum Road: Int, PersistableEnum {
  case narrow = 1
  case wide
}

private final class Ordered<Value: RealmCollectionValue & Comparable> {
  let list: List<Value>
  init(_ list: List<Value>) { self.list = list }

  var each: [Value] { Array(list.distinct()) }
}

private final class Sortable<Value: RealmCollectionValue>
where Value.PersistedType: SortableType {
  let list: List<Value>
  init(_ list: List<Value>) { self.list = list }

  var each: [Value] { Array(list.distinct()) }
  var falling: [Value] { Array(list.sorted(ascending: false)) }
}

@Suite(.serialized) @MainActor struct CollectionFormTests {
  private let realm: Realm
  private let trip = Trip()

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "trips"))
    trip.days.append(objectsIn: [3, 1, 3])
    trip.legs.append(objectsIn: (1...3).map { Leg(value: [$0]) })
    for (key, value) in ["a": 3, "b": 1, "c": 3] { trip.costs[key] = value }
    trip.stops.append(objectsIn: [trip, Trip()])
  }

  private func edit(_ isManaged: Bool, _ edit: () -> Void) throws {
    guard isManaged else { return edit() }
    try realm.write {
      realm.deleteAll()
      realm.add(trip)
      edit()
    }
  }

  @Test(arguments: [false, true])
  func `values are sorted and distinct in generic code, and those of maps`(
    isManaged: Bool
  ) throws {
    try edit(isManaged) {}
    #expect(Ordered(trip.days).each == [3, 1])
    #expect(Sortable(trip.days).each == [3, 1] && Sortable(trip.days).falling == [3, 3, 1])
    #expect(Sortable<Int?>([nil, 2]).falling == [2, nil])
    #expect(Sortable<Road>([.narrow, .wide]).falling == [.wide, .narrow])
    #expect(Array(trip.costs.distinct()) == [3, 1])
    #expect(Array(trip.costs.sorted(byKeyPath: "self")) == [1, 3, 3])
    #expect(Array(trip.costs.distinct(by: ["self"])) == [3, 1])
    #expect(trip.days.distinct(by: Set(["self"])).count == 2)
    if isManaged { #expect(realm.objects(Trip.self).distinct(by: Set(["name"])).count == 1) }
  }

  @Test func `sorted values of a map are observed`() throws {
    try edit(true) {}
    var calls: [String] = []
    let values = trip.costs.sorted(byKeyPath: "self", ascending: false)
    let token = values.observe { change in
      switch change {
      case .initial(let values): calls.append("\(Array(values))")
      case .update(let values, let old, let new, _):
        calls.append("\(Array(values)) -\(old) +\(new)")
      case .error(let error): calls.append("\(error)")
      }
    }
    realm.refresh()
    try realm.write { trip.costs["b"] = 5 }
    realm.refresh()
    #expect(calls == ["[3, 3, 1]", "[5, 3, 3] -[2] +[0]"] && Array(values) == [5, 3, 3])
    token.invalidate()
  }

  @Test(arguments: [false, true])
  func `a list is changed in place`(isManaged: Bool) throws {
    let days = trip.days
    try edit(isManaged) {
      days.reverse()
      days.sort()
      #expect(Array(days) == [1, 3, 3])
      days[0..<2] = days[1..<3]
      days[0] = 4
      #expect(Array(days) == [4, 3, 3] && Array(days[0..<2]) == [4, 3])
      days.replaceSubrange(0...1, with: [1, 2])
      days.replaceSubrange(1..., with: [7])
      #expect(Array(days) == [1, 7])
      days.replaceSubrange(..<1, with: [5, 6])
      days.sort(by: >)
      #expect(Array(days) == [7, 6, 5])
      trip.legs.reverse()
      #expect(trip.legs.map(\.miles) == [3, 2, 1])
      trip.legs.sort { $0.miles < $1.miles }
      #expect(trip.legs.map(\.miles) == [1, 2, 3])
    }
  }
}
