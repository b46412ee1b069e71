import Foundation
import HeraldCompatibility
import Testing

private final class Scale: Object {
  @Persisted var int = 0
  @Persisted var small: Int16 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted var decimal: Decimal128
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var maybe: Float?
  @Persisted var maybeDate: Date?
  @Persisted var floats: List<Float>
  @Persisted var parts: List<Scale>
}

/// The same objects in a store, in a list of a managed object, and in one of an unmanaged object.
private enum Place: CaseIterable { case results, list, unmanaged }

@Suite(.serialized) @MainActor struct AggregateTests {
  private static func scales() -> [Scale] {
    (0..<3).map { index in
      let scale = Scale()
      scale.int = [1, 2, 2][index]
      scale.small = Int16(scale.int)
      scale.float = [1.1, 2.2, 2.2][index]
      scale.double = [1.1, 2.2, 2.2][index]
      scale.decimal = [1, 2, 2][index]
      scale.date = Date(timeIntervalSince1970: Double(scale.int))
      scale.maybe = index == 0 ? nil : 2.2
      scale.maybeDate = index == 0 ? nil : scale.date
      scale.floats.append(objectsIn: [1.1, 2.2, 2.2])
      return scale
    }
  }

  private func check(_ scales: some StoredCollection<Scale>) {
    let sum: Float = 1.1 + 2.2 + 2.2
    #expect(abs(scales.sum(of: \.float) - sum) < 1e-6)
    #expect(abs((scales.sum(ofProperty: "float") as Float) - sum) < 1e-6)
    #expect(scales.sum(of: \.maybe) == 4.4 && (scales.sum(ofProperty: "maybe") as Float) == 4.4)
    #expect((scales.sum(ofProperty: "int") as Double) == 5 && scales.sum(of: \.small) == 5)
    #expect((scales.sum(ofProperty: "double") as Int) == 5)
    let whole: Int? = scales.average(ofProperty: "int")
    let rounded: Float? = scales.average(ofProperty: "int")
    let narrow: Int16? = scales.average(ofProperty: "small")
    let decimal: Decimal128? = scales.average(ofProperty: "int")
    #expect(whole == 1 && rounded == Float(5.0 / 3) && narrow == 1)
    #expect(decimal?.description.hasPrefix("1.6666") == true)
    let mean: Float? = scales.average(ofProperty: "float")
    #expect(mean.map { abs($0 - sum / 3) < 1e-6 } == true)
    let (first, last) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    #expect(scales.min(of: \.date) == first && scales.max(of: \.date) == last)
    #expect(scales.min(ofProperty: "date") == first && scales.max(ofProperty: "date") == last)
    #expect(scales.min(of: \.maybeDate) == last && scales.max(of: \.maybeDate) == last)
    #expect(scales.min(of: \.decimal) == 1 && scales.max(ofProperty: "float") == Float(2.2))
    #expect(scales.max(of: \.maybe) == 2.2 && scales.min(of: \.small) == 1)
    #expect((scales.max(ofProperty: "int") as Double?) == 2)
  }

  @Test(arguments: [0, 1, 2])
  func `sums are rounded to the type, and averages are those that the program wants`(
    place: Int
  ) throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "scales"))
    let root = Scale()
    root.parts.append(objectsIn: Self.scales())
    switch Place.allCases[place] {
    case .unmanaged: check(root.parts)
    case .list:
      try realm.write { realm.add(root) }
      check(root.parts)
      check(root.freeze().parts)
      #expect(abs(root.parts[0].floats.sum() - 5.5) < 1e-6)
    case .results:
      try realm.write {
        realm.deleteAll()
        realm.add(Self.scales())
      }
      check(realm.objects(Scale.self))
      check(realm.objects(Scale.self).where { $0.int > 0 }.sorted(by: \.int))
    }
  }

  @Test func `an average of none is nil, and a sum zero`() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "no scales"))
    let none = realm.objects(Scale.self)
    #expect(none.average(ofProperty: "int") == (nil as Int?) && none.min(of: \.date) == nil)
    #expect(none.sum(of: \.float) == 0 && Scale().parts.max(of: \.date) == nil)
  }
}
