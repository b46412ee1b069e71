/// A place on the earth.
public struct GeoPoint: Hashable, Sendable {
  /// Degrees to the north of the equator, from -90 to 90.
  public let latitude: Double
  /// Degrees to the east of Greenwich, from -180 to 180.
  public let longitude: Double
  /// The altitude in meters, at least 0. Queries ignore it.
  public let altitude: Double

  /// The place with these degrees; nil where they are out of range.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard -90...90 ~= latitude, -180...180 ~= longitude,
      altitude.isFinite, altitude >= 0
    else { return nil }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }

  /// The place with these degrees: latitude, longitude; nil where they are out of range.
  public init?(_ degrees: (Double, Double)) {
    self.init(latitude: degrees.0, longitude: degrees.1)
  }
}

/// A distance on the surface of the earth, whose radius is taken to be 6,378,100 m.
public struct GeoDistance: Hashable, Comparable, Sendable {
  private static let earthRadius = 6_378_100.0
  private static let metersOfMile = 1609.344

  /// The angle at the center of the earth.
  public let radians: Double

  private init?(_ radians: Double) {
    guard radians >= 0, radians.isFinite else { return nil }
    self.radians = radians
  }

  /// So many kilometers; nil for fewer than 0.
  public static func kilometers(_ number: Double) -> GeoDistance? {
    GeoDistance(number * 1000 / earthRadius)
  }

  /// So many miles; nil for fewer than 0.
  public static func miles(_ number: Double) -> GeoDistance? {
    GeoDistance(number * metersOfMile / earthRadius)
  }

  /// So many degrees at the center of the earth; nil for fewer than 0.
  public static func degrees(_ number: Double) -> GeoDistance? {
    GeoDistance(number * .pi / 180)
  }

  /// So many radians at the center of the earth; nil for fewer than 0.
  public static func radians(_ number: Double) -> GeoDistance? { GeoDistance(number) }

  /// The distance in kilometers.
  public func asKilometers() -> Double { radians * Self.earthRadius / 1000 }
  /// The distance in miles.
  public func asMiles() -> Double { radians * Self.earthRadius / Self.metersOfMile }
  /// The distance in degrees at the center of the earth.
  public func asDegrees() -> Double { radians * 180 / .pi }
  /// The distance in radians at the center of the earth.
  public func asRadians() -> Double { radians }

  /// Whether the first distance is the shorter one.
  public static func < (a: GeoDistance, b: GeoDistance) -> Bool { a.radians < b.radians }
}
