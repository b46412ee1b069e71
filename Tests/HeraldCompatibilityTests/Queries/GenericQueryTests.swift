import Foundation
import HeraldCompatibility
import Testing

private enum Size: Int, PersistableEnum {
  case small = 1
  case large = 3
}
private enum Tone: String, PersistableEnum { case warm, cold }

private struct Weight: CustomPersistable, Hashable {
  var grams: Int

  init(grams: Int) { self.grams = grams }
  init(persistedValue: Int) { grams = persistedValue }
  var persistableValue: Int { grams }
}

private final class Parcel: Object {
  @Persisted var count = 0
  @Persisted var name = ""
  @Persisted var note: String?
  @Persisted var bytes = Data()
  @Persisted var size = Size.small
  @Persisted var tone = Tone.warm
  @Persisted var weight = Weight(grams: 0)
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var counts: List<Int>
  @Persisted var sizes: MutableSet<Size>
  @Persisted var weights: List<Weight?>
  @Persisted var named: Map<String, Weight>
  @Persisted var parts: List<Parcel>
}

/// Conditions in code that does not know the types of what they compare.
@Suite(.serialized) @MainActor struct GenericQueryTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "parcels"))
    let parcel = Parcel()
    (parcel.count, parcel.name, parcel.note) = (5, "Lamp", "fragile")
    (parcel.size, parcel.tone, parcel.weight) = (.large, .cold, Weight(grams: 250))
    parcel.bytes = Data([1, 2, 3])
    parcel.counts.append(objectsIn: [1, 2, 6])
    parcel.sizes.insert(objectsIn: [.small, .large])
    parcel.weights.append(objectsIn: [Weight(grams: 10), nil, Weight(grams: 30)])
    parcel.named["box"] = Weight(grams: 7)
    try realm.write {
      realm.deleteAll()
      realm.add(parcel)
      parcel.parts.append(Parcel(value: ["count": 2, "size": Size.small]))
      parcel.parts.append(Parcel(value: ["count": 8, "size": Size.large]))
    }
  }

  private func finds(_ condition: (Query<Parcel>) -> Query<Bool>) -> Bool {
    realm.objects(Parcel.self).where { $0.name == "Lamp" && condition($0) }.count == 1
  }

  private func equal<Value: _Persistable>(
    _ path: (Query<Parcel>) -> Query<Value>, _ value: Value, _ other: Value
  ) -> Bool {
    finds { path($0) == value } && !finds { path($0) != value } && !finds { path($0) == other }
      && finds { path($0).in([value, other]) }
  }

  private func ordered<Value: _Persistable>(
    _ path: (Query<Parcel>) -> Query<Value>, _ value: Value, above lower: Value
  ) -> Bool where Value.PersistedType: _QueryNumeric {
    finds { path($0) > lower && path($0) >= value && path($0) <= value }
      && !finds { path($0) < value } && finds { path($0) >= path($0) }
      && !finds { path($0) < path($0) }
  }

  private func text<Value: _Persistable>(
    _ path: (Query<Parcel>) -> Query<Value>, _ whole: Value, _ start: Value, _ end: Value
  ) -> Bool where Value.PersistedType: _QueryBinary {
    finds { path($0).starts(with: start) && path($0).ends(with: end) && path($0).contains(whole) }
      && finds { path($0).equals(whole) } && !finds { path($0).notEquals(whole) }
      && finds { path($0).contains(path($0)) } && !finds { path($0).starts(with: end) }
  }

  private func extremes<Values: RealmCollection>(
    _ path: (Query<Parcel>) -> Query<Values>, _ low: Values.Element, _ high: Values.Element,
    _ count: Int
  ) -> Bool where Values.Element.PersistedType: _QueryNumeric {
    finds { path($0).min == low && path($0).max == high && path($0).max > low }
      && finds { path($0).contains(low) && path($0).count == count }
  }

  private func keyed<Values: RealmKeyedCollection>(
    _ path: (Query<Parcel>) -> Query<Values>, _ value: Values.Value
  ) -> Bool where Values.Key == String, Values.Value.PersistedType: _QueryNumeric {
    finds { path($0)["box"] == value && path($0)["box"] >= value && path($0).sum == value }
      && finds { path($0).contains(value) && path($0).keys == "box" && path($0).count == 1 }
  }

  @Test func `values of every type are equal and ordered`() {
    #expect(equal(\.count, 5, 6) && equal(\.note, "fragile", nil) && equal(\.size, .large, .small))
    #expect(equal(\.weight, Weight(grams: 250), Weight(grams: 1)) && equal(\.tone, .cold, .warm))
    #expect(ordered(\.count, 5, above: 4) && ordered(\.size, .large, above: .small))
    #expect(ordered(\.weight, Weight(grams: 250), above: Weight(grams: 249)))
    #expect(finds { $0.date.contains(.distantPast ... .distantFuture) && $0.count.between(5, 6) })
  }

  @Test func `texts, bytes and enumerations of text`() {
    #expect(text(\.name, "Lamp", "La", "mp") && text(\.note, "fragile", "fra", "ile"))
    #expect(text(\.bytes, Data([1, 2, 3]), Data([1]), Data([2, 3])))
    #expect(finds { $0.tone.equals(.cold) && $0.tone.starts(with: "co") && $0.tone.like("c*d") })
    #expect(finds { $0.name.like($0.name, caseInsensitive: true) })
  }

  @Test func `collections by their elements`() {
    #expect(extremes(\.counts, 1, 6, 3) && extremes(\.sizes, .small, .large, 2))
    #expect(extremes(\.weights, Weight(grams: 10), Weight(grams: 30), 3))
    #expect(keyed(\.named, Weight(grams: 7)))
    #expect(finds { $0.sizes.rawValue.contains(1...3) && $0.weights.persistableValue.sum == 40 })
    #expect(finds { $0.named.persistableValue.avg == 7 && $0.counts.avg == 3 })
    #expect(finds { $0.counts == 6 && $0.counts != 6 } && !finds { $0.named != Weight(grams: 7) })
    #expect(!finds { $0.weights == Weight(grams: 20) } && finds { $0.weights == nil })
    #expect(finds { $0.parts.size.max == .large && $0.parts.weight.sum == Weight(grams: 0) })
  }
}
