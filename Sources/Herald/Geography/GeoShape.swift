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
    return Ring(outerRing).encloses(direction) && !holes.contains { Ring($0).encloses(direction) }
  }
}

/// A place as a vector of length 1 from the center of the earth.
private struct Direction {
  let vector: SIMD3<Double>

  init(_ point: GeoPoint) {
    let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
    vector = SIMD3(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  static func product(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    (a * b).sum()
  }

  static func normal(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The angle between two directions: exact for small ones, too.
  func angle(to other: Direction) -> Double {
    let normal = Self.normal(vector, other.vector)
    return atan2(Self.product(normal, normal).squareRoot(), Self.product(vector, other.vector))
  }
}

/// A closed line of arcs of great circles on the earth.
private struct Ring {
  private let corners: [SIMD3<Double>]
  /// Of each edge, from a corner to the next one, the normal of its great circle.
  private let normals: [SIMD3<Double>]

  init(_ points: [GeoPoint]) {
    var corners: [SIMD3<Double>] = []
    for point in points {
      let corner = Direction(point).vector
      if corner != corners.last { corners.append(corner) }
    }
    if corners.first == corners.last { corners.removeLast() }
    self.corners = corners
    normals = corners.indices.map {
      Direction.normal(corners[$0], corners[($0 + 1) % corners.count])
    }
  }

  /// Whether the smaller of the two parts of the earth that the ring divides is on its left: on the whole, it turns to it.
  private var enclosesLeft: Bool {
    let turn = corners.indices.reduce(0.0) { sum, index in
      let next = (index + 1) % corners.count
      let (before, after) = (normals[index], normals[next])
      let sine = Direction.product(corners[next], Direction.normal(before, after))
      return sum + atan2(sine, Direction.product(before, after))
    }
    return turn > 0
  }

  /// Whether a direction is in the smaller of the two parts of the earth that the ring divides. O(corners).
  ///
  /// An arc leads from the direction to the middle of an edge. The direction is on the side of the ring from which the arc
  /// reaches that edge, unless the arc crosses an odd number of the other edges.
  func encloses(_ direction: Direction) -> Bool {
    let vector = direction.vector
    let sines = normals.map {
      Direction.product(vector, $0) / Direction.product($0, $0).squareRoot()
    }
    // The farthest great circle: on it, and on the other side of the earth, the arc would be ambiguous.
    guard corners.count >= 3,
      let target = sines.indices.max(by: { abs(sines[$0]) < abs(sines[$1]) })
    else { return false }
    let middle = corners[target] + corners[(target + 1) % corners.count]
    let arc = Direction.normal(vector, middle)
    var isLeft = sines[target] > 0
    for index in corners.indices where index != target {
      let startsLeft = Direction.product(arc, corners[index]) >= 0
      let endsLeft = Direction.product(arc, corners[(index + 1) % corners.count]) >= 0
      guard startsLeft != endsLeft else { continue }
      let start = Direction.product(normals[index], vector)
      let end = Direction.product(normals[index], middle)
      if startsLeft ? start < 0 && end > 0 : start > 0 && end < 0 { isLeft.toggle() }
    }
    return isLeft == enclosesLeft
  }
}
