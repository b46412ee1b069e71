import Foundation
import HeraldCompatibility
import Testing

private final class Place: EmbeddedObject {
  @Persisted var coordinates: List<Double>
  @Persisted var type = "Point"

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

private final class Shop: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var place: Place?
  @Persisted var branches: List<Shop>
}

/// Conditions by Realm's names.
@Suite(.serialized) struct QueryNamesTests {
  let realm: Realm

  init() throws {
    realm = try Realm(configuration: .init(inMemoryIdentifier: "conditions"))
    let realm = realm
    try realm.write {
      realm.deleteAll()
      for (name, latitude, longitude) in [
        ("Café Zoë", 52.52, 13.405), ("Cafe Zoe", 48.857, 2.352), ("Øst", 55.676, 12.568),
        ("Fiji", -17.7, 178.0), ("Samoa", -13.8, -171.8),
      ] {
        let shop = realm.create(Shop.self, value: ["name": name])
        shop.place = Place(latitude, longitude)
      }
      realm.create(Shop.self, value: ["name": "Nowhere"])
      realm.create(Shop.self, value: ["name": "Half", "place": ["coordinates": [13.4]]])
    }
  }

  private func names(_ results: Results<Shop>) -> [String] { results.map(\.name) }

  @Test func `letters are equal whatever marks they have`() throws {
    let all = realm.objects(Shop.self)
    let marks: StringOptions = [.diacriticInsensitive]
    #expect(names(all.where { $0.name.equals("Cafe Zoe") }) == ["Cafe Zoe"])
    #expect(names(all.where { $0.name.equals("Cafe Zoe", options: marks) }).count == 2)
    #expect(names(all.where { $0.name.contains("zoé", options: marks) }).isEmpty)
    #expect(
      names(
        all.where { $0.name.contains("zoé", options: [.caseInsensitive, .diacriticInsensitive]) }
      )
      .count == 2)
    #expect(names(all.where { $0.name.starts(with: "Cafè", options: marks) }).count == 2)
    #expect(names(all.where { $0.name.like("*oe", options: marks) }).count == 2)
    #expect(names(all.where { $0.name.notEquals("Cafe Zoe", options: marks) }).count == 5)
    #expect(names(all.where { $0.name.equals("Ost", options: marks) }).isEmpty)
    try realm.write { all[2].branches.append(objectsIn: [all[4], all[0]]) }
    let ofBranches = all.where { $0.branches.name.equals("Cafe Zoe", options: marks) }
    #expect(names(ofBranches) == ["Øst"])
  }

  @Test func `places are within boxes, circles and polygons`() throws {
    let all = realm.objects(Shop.self)
    let germany = try #require(GeoBox(bottomLeft: (47, 5), topRight: (55, 15)))
    let pacific = try #require(GeoBox(bottomLeft: (-20, 170), topRight: (-10, -170)))
    #expect(names(all.where { $0.place.geoWithin(germany) }) == ["Café Zoë"])
    #expect(names(all.where { $0.place.geoWithin(pacific) }) == ["Fiji", "Samoa"])
    #expect(names(all.where { !$0.place.geoWithin(germany) }).count == 6)
    let berlin = try #require(GeoPoint(latitude: 52.52, longitude: 13.405))
    // Berlin and Copenhagen are 355 km apart, Berlin and Paris 878 km.
    for (kilometers, count) in [(0.0, 1), (350, 1), (360, 2), (870, 2), (890, 3)] {
      let circle = GeoCircle(center: berlin, radius: try #require(.kilometers(kilometers)))
      #expect(all.where { $0.place.geoWithin(circle) }.count == count, "\(kilometers)")
    }
    let ring = [(48.0, 0.0), (48, 15), (58, 15), (58, 0), (48, 0)]
    let hole = [(50.0, 10.0), (50, 14), (54, 14), (54, 10), (50, 10)]
    let europe = try #require(GeoPolygon(outerRing: ring))
    #expect(names(all.where { $0.place.geoWithin(europe) }) == ["Café Zoë", "Cafe Zoe", "Øst"])
    let holed = try #require(GeoPolygon(outerRing: ring, holes: hole))
    #expect(names(all.where { $0.place.geoWithin(holed) }) == ["Cafe Zoe", "Øst"])
    #expect(names(all.filter("place IN %@ AND name != 'Øst'", europe)).count == 2)
    #expect(names(all.filter("NOT place IN %@", pacific)).count == 5)
    for shape in [germany, europe] as [any CVarArg] {
      let found = all.filter(NSPredicate(format: "place IN %@", shape))
      #expect(names(found).first == "Café Zoë")
    }
    #expect(throws: QueryArgumentError.self) { try all.query("place == %@", pacific) }
  }

  @Test func `conditions on places are observed`() throws {
    let box = try #require(GeoBox(bottomLeft: (0, 0), topRight: (10, 10)))
    let near = realm.objects(Shop.self).where { $0.place.geoWithin(box) }
    var counts: [[Int]] = []
    let token = near.observe { change in
      if case .update(let rows, let deletions, let insertions, _) = change {
        counts.append([rows.count, deletions.count, insertions.count])
      }
    }
    realm.refresh()
    let shop = try #require(realm.object(ofType: Shop.self, forPrimaryKey: "Fiji"))
    try realm.write { shop.place = Place(5, 5) }
    realm.refresh()
    try realm.write { shop.place?.coordinates[0] = 50 }
    realm.refresh()
    #expect(counts == [[1, 0, 1], [0, 1, 0]])
    token.invalidate()
  }

  @Test func `what is no place or shape is nil, and distances are converted`() throws {
    #expect(GeoPoint(latitude: 91, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: -181) == nil)
    #expect(GeoBox(bottomLeft: (0, 0), topRight: (100, 0)) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (1, 0), (0, 1)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (1, 0), (0, 0)], holes: [(0, 0)]) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    #expect(Distance.kilometers(-1) == nil && Distance.degrees(.nan) == nil)
    let degree = try #require(Distance.degrees(1))
    #expect(abs(degree.asKilometers() - 111.3188) < 0.001)
    #expect(abs(degree.asMiles() - 69.1703) < 0.001 && degree.asDegrees() == 1)
    #expect(degree < (try #require(Distance.miles(70))))
  }

  /// Random places beside a plain reading of each shape.
  @Test(arguments: 1...20) func `random places`(seed: Int) throws {
    var generator = SeededPlaces(state: UInt64(seed))
    func random(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &generator)
    }
    let center = try #require(GeoPoint(latitude: random(-70...70), longitude: random(-180...180)))
    // A square of great circles around the center, small enough to be flat.
    let half = random(0.01...0.05)
    let width = half / cos(center.latitude * .pi / 180)
    guard abs(center.longitude) + 3 * width < 180 else { return }
    let corners = [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1), (-1, -1)].map { north, east in
      (center.latitude + north * half, center.longitude + east * width)
    }
    let square = try #require(GeoPolygon(outerRing: corners))
    let circle = GeoCircle(center: center, radius: try #require(.degrees(half)))
    for _ in 0..<300 {
      let (north, east) = (random(-2...2), random(-2...2))
      let point = try #require(
        GeoPoint(
          latitude: center.latitude + north * half, longitude: center.longitude + east * width))
      // Not where the earth's roundness decides.
      if abs(abs(north) - 1) > 0.01, abs(abs(east) - 1) > 0.01 {
        #expect(square.contains(point) == (abs(north) < 1 && abs(east) < 1), "\(seed) \(point)")
      }
      let distance = (north * north + east * east).squareRoot()
      if abs(distance - 1) > 0.01 {
        #expect(circle.contains(point) == (distance < 1), "\(seed) \(point)")
      }
    }
    let opposite = try #require(
      GeoPoint(
        latitude: -center.latitude,
        longitude: center.longitude > 0 ? center.longitude - 180 : center.longitude + 180))
    #expect(!square.contains(opposite) && !circle.contains(opposite) && square.contains(center))
  }
}

/// Numbers from a seed.
private struct SeededPlaces: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
