public import Herald

// A shape may be the argument of a predicate's format.

extension GeoBox: CVarArg {}
extension GeoCircle: CVarArg {}
extension GeoPolygon: CVarArg {}

extension GeoShape {
  /// Nothing that a function of C could read.
  public var _cVarArgEncoding: [Int] { [] }
}
