import Foundation
import HeraldCompatibility
import Testing

private enum Grade: Int, PersistableEnum {
  case low = 1
  case middle, high
}

private struct Points: CustomPersistable, Hashable {
  var count: Int
  init(_ count: Int) { self.count = count }
  init(persistedValue: Int) { count = persistedValue }
  var persistableValue: Int { count }
}

private final class Round: Object {
  @Persisted var number = 0
  @Persisted var speed: Float = 0
  @Persisted var day = Date(timeIntervalSince1970: 0)
  @Persisted var note: AnyRealmValue
  @Persisted var points: Points
  @Persisted var speeds: List<Float>
  @Persisted var numbers: List<Int?>
  @Persisted var grades: List<Grade>
  @Persisted var scores: List<Points>
  @Persisted var notes: List<AnyRealmValue>
  @Persisted var marks: MutableSet<Float>
  @Persisted var laps: Map<String, Float>
  @Persisted var labels: Map<String, AnyRealmValue>
  @Persisted var next: Round?
  @Persisted var rounds: List<Round>
  @Persisted var named: Map<String, Round?>
}

/// Values of a type that has an order and a sum, as generic code asks for both.
private protocol Measured {
  associatedtype Value: RealmCollectionValue, _HasPersistedType
  where Value.PersistedType: AddableType & MinMaxType
  var list: List<Value> { get }
}

private struct Measures<Value: RealmCollectionValue>: Measured
where Value: _HasPersistedType, Value.PersistedType: AddableType & MinMaxType {
  let list: List<Value>
}

extension Measured {
  fileprivate var extent: [Value?] { [list.min(), list.max(), list.sum()] }
}

private final class Ends<Value: RealmCollectionValue>
where Value: _HasPersistedType, Value.PersistedType: MinMaxType {
  let list: List<Value>
  init(_ list: List<Value>) { self.list = list }

  var smallest: Value? { list.min() }
  var largest: Value? { AnyRealmCollection(list).max() }
}

private final class Sums<Value: RealmCollectionValue> where Value.PersistedType: AddableType {
  let list: List<Value>
  init(_ list: List<Value>) { self.list = list }

  var sum: Value { list.sum() }
  func average<Average: AddableType>(as type: Average.Type) -> Average? { list.average() }
}

/// A property of a class, as generic code asks for the aggregates of it.
private struct Column<Owner: Object, Value>
where Value: _HasPersistedType & Equatable, Value.PersistedType: AddableType & MinMaxType {
  let path: KeyPath<Owner, Value>

  func all(_ objects: List<Owner>, _ named: Map<String, Owner?>) -> [Value?] {
    let values: [Value?] = [
      objects.min(of: path), objects.max(of: path), objects.sum(of: path),
      objects.average(of: path),
    ]
    let ofNamed: [Value?] = [
      named.min(of: path), named.max(of: path), named.sum(of: path), named.average(of: path),
    ]
    #expect(values == ofNamed)
    return values
  }
}

@Suite(.serialized) @MainActor struct AggregateTypeTests {
  private let realm: Realm
  private let round = Round()

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "rounds"))
    let other = Round()
    (round.number, other.number) = (1, 2)
    (round.speed, other.speed) = (1.5, 2.5)
    round.day = Date(timeIntervalSince1970: 100)
    (round.note, other.note) = (3, "three")
    (round.points.count, other.points.count) = (4, 6)
    round.speeds.append(objectsIn: [1, 2, 4.5])
    round.numbers.append(objectsIn: [nil, 3, 4])
    round.grades.append(objectsIn: [.middle, .high])
    round.scores.append(objectsIn: [5, 3].map { Points(persistedValue: $0) })
    round.notes.append(objectsIn: [1, .float(2.5), "z", .decimal128(2), .none])
    round.marks.insert(objectsIn: [1, 2])
    for (key, value) in ["a": 1, "b": 2] { round.laps[key] = Float(value) }
    round.labels["a"] = 4
    round.labels["b"] = "four"
    round.next = other
    round.rounds.append(objectsIn: [round, other])
    (round.named["a"], round.named["b"]) = (round, other)
  }

  private func addIf(_ isManaged: Bool) throws {
    guard isManaged else { return }
    try realm.write {
      realm.deleteAll()
      realm.add(round)
    }
  }

  @Test func `types are constrained to have an order and a sum`() {
    let round = Round(value: ["speeds": [1.5, 2.5], "scores": [Points(4), Points(2)]])
    #expect(Measures(list: round.speeds).extent == [1.5, 2.5, 4])
    #expect(Measures(list: round.scores).extent.map { $0?.count } == [2, 4, 6])
  }

  @Test(arguments: [false, true])
  func `an average has the type that the program wants, and is a Double without one`(
    isManaged: Bool
  ) throws {
    try addIf(isManaged)
    let float: Float? = round.speeds.average()
    let decimal: Decimal128? = round.speeds.average()
    let double = round.speeds.average()
    #expect(float == 2.5 && decimal == 2.5 && double.map { type(of: $0) == Double.self } == true)
    let (mark, lap, any): (Float?, Float?, Float?) = (
      round.marks.average(), round.laps.average(), AnyRealmCollection(round.speeds).average()
    )
    #expect(mark == 1.5 && lap == 1.5 && any == 2.5)
    let speed: Float? = round.rounds.average(of: \.speed)
    let mapped: Float? = round.named.average(of: \.number)
    #expect(speed == 2 && mapped == 1.5 && round.rounds.average(of: \.speed) == 2)
    let none: Float? = List<Float>().average()
    #expect(none == nil && round.numbers.average() == 3.5)
  }

  @Test(arguments: [false, true])
  func `generic code finds ends, sums and averages of what is stored as numbers`(
    isManaged: Bool
  ) throws {
    try addIf(isManaged)
    #expect(Ends(round.speeds).smallest == 1 && Ends(round.speeds).largest == 4.5)
    #expect(Ends(round.numbers).smallest == 3 && Ends(round.numbers).largest == 4)
    #expect(Ends(round.grades).smallest == .middle && Ends(round.grades).largest == .high)
    #expect(Ends(round.scores).smallest?.count == 3 && Ends(round.scores).largest?.count == 5)
    #expect(Ends(List<Int?>()).smallest == nil && Sums(List<Int?>()).sum == 0)
    #expect(Sums(round.numbers).sum == 7 && Sums(round.scores).sum.count == 8)
    #expect(Sums(round.scores).average(as: Double.self) == 4)
    #expect(Sums(round.numbers).average(as: Int.self) == 3)
    #expect(round.rounds.sum(of: \.points).count == 10)
    #expect(round.rounds.max(of: \.points)?.count == 6)
  }

  @Test(arguments: [false, true])
  func `generic code finds aggregates of a property`(isManaged: Bool) throws {
    try addIf(isManaged)
    let (rounds, named) = (round.rounds, round.named)
    #expect(Column(path: \Round.number).all(rounds, named) == [1, 2, 3, 1])
    #expect(Column(path: \Round.speed).all(rounds, named) == [1.5, 2.5, 4, 2])
    #expect(Column(path: \Round.points).all(rounds, named).map { $0?.count } == [4, 6, 10, 5])
    #expect(Column(path: \Round.next?.number).all(rounds, named) == [2, 2, 2, 2])
  }

  @Test(arguments: [false, true])
  func `aggregates by name are numbers and dates of Foundation`(isManaged: Bool) throws {
    try addIf(isManaged)
    let rounds = round.rounds
    #expect((rounds.min(ofProperty: "number") as NSNumber?)?.intValue == 1)
    #expect((rounds.max(ofProperty: "speed") as NSNumber?)?.floatValue == 2.5)
    #expect((rounds.sum(ofProperty: "speed") as NSNumber).doubleValue == 4)
    #expect((rounds.average(ofProperty: "number") as NSNumber?)?.doubleValue == 1.5)
    let day: NSDate? = rounds.max(ofProperty: "day")
    #expect(day?.timeIntervalSince1970 == 100)
    #expect((round.named.sum(ofProperty: "number") as NSNumber).intValue == 3)
    #expect((round.named.min(ofProperty: "day") as NSDate?)?.timeIntervalSince1970 == 0)
    #expect((Round().rounds.average(ofProperty: "number") as NSNumber?) == nil)
  }

  @Test(arguments: [false, true])
  func `of values of any type the numbers count, and sums of them are decimals`(
    isManaged: Bool
  ) throws {
    try addIf(isManaged)
    let (smallest, largest): (AnyRealmValue?, AnyRealmValue?) = (
      round.notes.min(), round.notes.max()
    )
    #expect(smallest == 1 && largest == .float(2.5))
    let sum: AnyRealmValue = round.notes.sum()
    let average: AnyRealmValue? = round.notes.average()
    #expect(sum == .decimal128(5.5) && average?.decimal128Value.map { $0 * 3 < 5.5 } == true)
    #expect(round.rounds.max(of: \.note) == 3 && round.rounds.sum(of: \.note) == .decimal128(3))
    #expect((round.rounds.min(ofProperty: "note") as AnyRealmValue?) == 3)
    #expect(round.labels.max() == 4 && round.labels.sum() == .decimal128(4))
    #expect(List<AnyRealmValue>(["a"]).max() == nil)
    if isManaged { #expect(realm.objects(Round.self).max(of: \.note) == 3) }
  }

  @Test func `of values of any type dates count, and numbers are smaller`() {
    let (early, late) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    let dates = List<AnyRealmValue>([.date(late), .string("a"), .date(early)])
    #expect(dates.min() == .date(early) && dates.max() == .date(late))
    dates.append(7)
    #expect(dates.min() == 7 && dates.max() == .date(late))
    let byName: Map<String, AnyRealmValue> = ["a": .date(late), "b": .date(early)]
    #expect(byName.min() == .date(early) && byName.max() == .date(late))
  }

  @Test func `sets of values of any type find objects`() throws {
    final class Holder: Object { @Persisted var values: MutableSet<AnyRealmValue> }
    let (a, b) = (Round(), Round())
    let (first, second) = (Holder(), Holder())
    for object in [a, a, b] { first.values.insert(.object(object)) }
    #expect(first.values.count == 2 && first.values.contains(.object(a)))
    second.values.insert(.object(a))
    #expect(second.values.isSubset(of: first.values) && first.values.intersects(second.values))
    try realm.write { realm.add([first, second]) }
    try realm.write { first.values.formIntersection(second.values) }
    #expect(Array(first.values) == [.object(a)])
    try realm.write { first.values.remove(.object(a)) }
    #expect(first.values.isEmpty)
  }
}
