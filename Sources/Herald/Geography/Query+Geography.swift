import HeraldModel
import HeraldQuery

/// An embedded object, or a link to an object, that says where it is.
extension Query where T: QueryableLink {
  /// Whether an object is within a shape. Its place is its property `coordinates`, a list of numbers: the longitude and the
  /// latitude; an object without two of them is nowhere.
  ///
  ///     class Place: EmbeddedObject {
  ///       @Persisted var coordinates: List<Double>
  ///       @Persisted var type = "Point"
  ///     }
  ///     store.objects(Shop.self).where { $0.place.geoWithin(GeoCircle(center: home, radius: near)) }
  ///
  /// There is no index of places: each object is looked at once, and then those that change.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> {
    guard case .path(let steps, _) = node else {
      context.note(KeyPathError(description: "'\(expression)' is no place"))
      return Query<Bool>(.operand(expression), context)
    }
    let within = ExpressionSyntax.isWithin(shape, PathSyntax(steps))
    return Query<Bool>(.operand(within), context).compared(.equal, true)
  }
}

extension ExpressionSyntax {
  /// Whether the place of an object is within a shape.
  static func isWithin(_ shape: some GeoShape, _ place: PathSyntax) -> ExpressionSyntax {
    let coordinates = [1, 0].map { index in
      var path = place
      for kind in [.name("coordinates"), .index(index)] as [PathSyntax.Step.Kind] {
        path.steps.append(PathSyntax.Step(kind: kind, span: place.span))
      }
      return ExpressionSyntax(.path(path), place.span)
    }
    return ExpressionSyntax(.within(shape), coordinates)
  }
}

extension ProgramFunction {
  /// Whether a latitude and a longitude are within a shape.
  fileprivate static func within(_ shape: some GeoShape) -> ProgramFunction {
    ProgramFunction("geoWithin \(shape)", [.double, .double], .bool) { latitude, rest in
      guard case .double(let latitude) = latitude, case .double(let longitude)? = rest.first,
        let point = GeoPoint(latitude: latitude, longitude: longitude)
      else { return .bool(false) }
      return .bool(shape.contains(point))
    }
  }
}
