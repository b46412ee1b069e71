import Glibc

/// A part of the earth's surface: `GeoBox`, `GeoCircle` or `GeoPolygon`.
public protocol GeoShape: Hashable, Sendable {
  /// Whether a place is in the shape. Its border is a part of boxes and circles.
  func contains(_ point: GeoPoint) -> Bool
}

/// The places between two degrees of latitude and two of longitude.
public struct GeoBox: GeoShape {
  /// The corner in the south-west.
  public let bottomLeft: GeoPoint
  /// The corner in the north-east. If it is to the west of the other one, the box goes around the earth's back.
  public let topRight: GeoPoint

  /// The box between two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    (self.bottomLeft, self.topRight) = (bottomLeft, topRight)
  }

  /// The box between two corners of latitude and longitude; nil where these are out of range.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// Whether a place is in the box.
  public func contains(_ point: GeoPoint) -> Bool {
    let (west, east) = (bottomLeft.longitude, topRight.longitude)
    let isBetween =
      west <= east
      ? west...east ~= point.longitude : point.longitude >= west || point.longitude <= east
    return isBetween && bottomLeft.latitude <= point.latitude
      && point.latitude <= topRight.latitude
  }
}

/// The places that are not farther than a distance from one.
public struct GeoCircle: GeoShape {
  /// The place in the middle.
  public let center: GeoPoint
  /// The distance of the border from it.
  public let radius: GeoDistance

  /// The circle around a place.
  public init(center: GeoPoint, radius: GeoDistance) {
    (self.center, self.radius) = (center, radius)
  }

  /// The circle around a place of latitude and longitude; nil where these are out of range.
  public init?(center: (Double, Double), radius: GeoDistance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The circle with a radius in radians at the center of the earth; nil for fewer than 0.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The circle with a radius in radians at the center of the earth; nil where a number is out of range.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Whether a place is in the circle.
  public func contains(_ point: GeoPoint) -> Bool {
    Direction(center).angle(to: Direction(point)) <= radius.asRadians()
  }
}

/// The places within a ring of great circles, and within none of its holes.
public struct GeoPolygon: GeoShape {
  /// The corners of the border, of which the last is the first one again.
  public let outerRing: [GeoPoint]
  /// The borders of what is left out.
  public let holes: [[GeoPoint]]

  /// The polygon within a ring; nil if a ring has less than three corners, or its last place is not its first one. The smaller
  /// of the two parts of the earth that a ring divides is within it.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
    for ring in [outerRing] + holes {
      guard ring.count >= 4, ring.first == ring.last else { return nil }
    }
    (self.outerRing, self.holes) = (outerRing, holes)
  }

  /// The polygon within a ring, without several holes.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// The polygon within a ring of latitudes and longitudes; nil as above, and where these are out of range.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = ([outerRing] + holes).map { $0.compactMap { GeoPoint($0) } }
    guard rings[0].count == outerRing.count,
      zip(rings.dropFirst(), holes).allSatisfy({ $0.count == $1.count })
    else { return nil }
    self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
  }

  /// The polygon within a ring of latitudes and longitudes, without several holes.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// Whether a place is in the polygon. O(corners).
  public func contains(_ point: GeoPoint) -> Bool {
    let direction = Direction(point)
    return direction.isWithin(outerRing) && !holes.contains { direction.isWithin($0) }
  }
}

/// A place as a vector of length 1 from the center of the earth.
private struct Direction {
  private let vector: SIMD3<Double>

  init(_ point: GeoPoint) {
    let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
    vector = SIMD3(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func product(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    (a * b).sum()
  }

  private static func normal(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The angle between two directions: exact for small ones, too.
  func angle(to other: Direction) -> Double {
    let normal = Self.normal(vector, other.vector)
    return atan2(Self.product(normal, normal).squareRoot(), Self.product(vector, other.vector))
  }

  /// Whether the corners of a ring turn once around the direction, as it is seen along it.
  func isWithin(_ ring: [GeoPoint]) -> Bool {
    let corners = ring.map { Direction($0).vector }
    // Seen from the other side of the earth, the ring turns, too.
    let middle = corners.reduce(SIMD3<Double>()) { $0 + $1 }
    if Self.product(middle, vector) <= 0 { return false }
    var turn = 0.0
    for (a, b) in zip(corners, corners.dropFirst()) {
      let sine = Self.product(vector, Self.normal(a, b))
      let cosine = Self.product(a, b) - Self.product(vector, a) * Self.product(vector, b)
      turn += atan2(sine, cosine)
    }
    return abs(turn) > .pi
  }
}
