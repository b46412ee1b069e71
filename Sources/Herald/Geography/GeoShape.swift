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

  /// Whether the direction is in the smaller of the two parts that a ring divides.
  ///
  /// The arc to the middle of an edge comes to it from the side of the direction, and is on the other side of the ring before
  /// each edge that it crosses.
  func isWithin(_ ring: [GeoPoint]) -> Bool {
    var corners: [SIMD3<Double>] = []
    for point in ring {
      let corner = Direction(point).vector
      if corner != corners.last { corners.append(corner) }
    }
    if corners.first == corners.last { corners.removeLast() }
    guard corners.count >= 3 else { return false }
    let edges = corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
    let normals = edges.map { Self.normal($0, $1) }
    // The largest angle to a side: far from both places where the side's great circle would leave open which arc is meant.
    let heights = normals.map {
      Self.product(vector, $0) / max(Self.product($0, $0).squareRoot(), .leastNormalMagnitude)
    }
    guard let nearest = heights.indices.max(by: { abs(heights[$0]) < abs(heights[$1]) }) else {
      return false
    }
    let middle = edges[nearest].0 + edges[nearest].1
    let arc = Self.normal(vector, middle)
    var isLeft = heights[nearest] > 0
    for (index, (a, b)) in edges.enumerated() where index != nearest {
      let isCrossing = Self.product(arc, a) >= 0
      guard isCrossing != (Self.product(arc, b) >= 0) else { continue }
      let (start, end) = (
        Self.product(normals[index], vector), Self.product(normals[index], middle)
      )
      if isCrossing ? start < 0 && end > 0 : start > 0 && end < 0 { isLeft.toggle() }
    }
    // What is left of the ring is the smaller part if the ring turns to the left on the whole.
    let turn = corners.indices.reduce(0.0) { sum, index in
      let (before, after) = (normals[index], normals[(index + 1) % corners.count])
      let corner = corners[(index + 1) % corners.count]
      return sum
        + atan2(Self.product(corner, Self.normal(before, after)), Self.product(before, after))
    }
    return isLeft == (turn > 0)
  }
}
