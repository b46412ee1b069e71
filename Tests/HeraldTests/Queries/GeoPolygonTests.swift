import Foundation
import Herald
import TestSupport
import Testing

/// Polygons of any width, beside the triangles that a star consists of.
@Suite struct GeoPolygonTests {
  private typealias Vector = SIMD3<Double>

  @Test(arguments: seeds(60))
  func `places are in a star where they are in one of its triangles`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let center = Self.direction(&random)
    let east = Self.unit(Self.cross(center, Self.direction(&random)))
    let north = Self.cross(center, east)
    let widths: [Double] = [0.01, 0.5, 1.5, 2.6]
    let widest: Double = widths[Int.random(in: 0..<4, using: &random)]
    let count = Int.random(in: 5...12, using: &random)
    let corners = (0..<count).map { index -> GeoPoint in
      let step = Double(index) + Double.random(in: 0.1...0.9, using: &random)
      let angle = 2 * Double.pi * step / Double(count)
      let radius = Double.random(in: 0.1...1, using: &random) * widest
      let outward = Vector(repeating: cos(angle)) * east + Vector(repeating: sin(angle)) * north
      return Self.place(
        Vector(repeating: cos(radius)) * center + Vector(repeating: sin(radius)) * outward)
    }
    let ends = corners.map(Self.vector)
    let triangles = ends.indices.map { (center, ends[$0], ends[($0 + 1) % count]) }
    guard triangles.allSatisfy({ Self.dot($0.0, Self.cross($0.1, $0.2)) > 0 }) else { return }
    let area = triangles.reduce(0) { sum, triangle in
      let (a, b, c) = triangle
      return sum
        + 2
        * atan2(
          Self.dot(a, Self.cross(b, c)), 1 + Self.dot(a, b) + Self.dot(b, c) + Self.dot(c, a))
    }
    var ring: [GeoPoint] = corners
    if Bool.random(using: &random) { ring.reverse() }
    ring.append(ring[0])
    let polygon = try #require(GeoPolygon(outerRing: ring))
    for _ in 0..<200 {
      var direction = Self.direction(&random)
      if Bool.random(using: &random) {
        direction = Self.unit(center + direction * Vector(repeating: widest / 2))
      }
      let place = Self.place(direction)
      let vector = Self.vector(place)
      let isInStar = triangles.contains { a, b, c in
        Self.dot(vector, Self.cross(a, b)) >= 0 && Self.dot(vector, Self.cross(b, c)) > 0
          && Self.dot(vector, Self.cross(c, a)) > 0
      }
      #expect(polygon.contains(place) == (isInStar == (area < 2 * .pi)), "\(place)")
    }
  }

  @Test func `a place has no height below the sea`() {
    #expect(GeoPoint(latitude: 1, longitude: 2, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 1, longitude: 2, altitude: 0)?.altitude == 0)
  }

  private static func direction(_ random: inout SplitMix64) -> Vector {
    let height = Double.random(in: -1...1, using: &random)
    let angle = Double.random(in: 0...2 * .pi, using: &random)
    let radius = (1 - height * height).squareRoot()
    return Vector(radius * cos(angle), radius * sin(angle), height)
  }

  private static func place(_ vector: Vector) -> GeoPoint {
    let latitude = atan2(vector.z, (vector.x * vector.x + vector.y * vector.y).squareRoot())
    let longitude = atan2(vector.y, vector.x)
    guard
      let place = GeoPoint(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)
    else { fatalError("\(vector) is no place") }
    return place
  }

  private static func vector(_ place: GeoPoint) -> Vector {
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return Vector(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func dot(_ a: Vector, _ b: Vector) -> Double { (a * b).sum() }
  private static func unit(_ a: Vector) -> Vector { a / dot(a, a).squareRoot() }
  private static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
