import HeraldModel

extension OperandPath {
  /// The paths from the root whose changes change the values; none where the path has no steps.
  ///
  /// There are several where it follows a link inside an `any`, which may lead to any class.
  var dependencies: [PropertyPath] {
    guard let root = hops.first?.classID else { return [] }
    var reached: [Reached] = [Reached()]
    for hop in hops {
      switch hop.kind {
      case .single(let property), .elements(let property), .element(let property, _),
        .entry(let property, _), .keys(let property):
        let step = PropertyPath.Step(hop.classID, .property(property))
        reached = reached.map { Reached(steps: $0.steps + [step]) }
      case .origins(let origin, let property):
        let step = PropertyPath.Step(
          hop.classID, .backlinks(origin: origin, property: property))
        reached = reached.map { Reached(steps: $0.steps + [step]) }
      case .part(.name(_, let targets)):
        // What stands in the `any` may also be a map: the path up to there counts by itself.
        let sorted = targets.values.sorted { $0.step.classID < $1.step.classID }
        let further = reached.flatMap { path in sorted.compactMap { path.entering($0) } }
        guard reached.count + further.count <= OperandPath.dependencyLimit else { break }
        reached += further
      case .part(.index), .part(.last), .part(.every), .part(.keys), .part(.key): break
      }
    }
    return reached.map { PropertyPath(root: root, steps: $0.steps) }
  }

  /// More paths than any sensible schema has: names that every class has, one after the other.
  private static let dependencyLimit = 256

  /// A path on the way, and what stands at its end.
  private struct Reached {
    var steps: [PropertyPath.Step] = []
    /// The property at the end, where a link inside an `any` led to it; nil for others.
    var end: PropertyType?

    /// The path on to a property of an object that may stand here; nil where none can.
    func entering(_ target: ValuePart.Target) -> Reached? {
      if let end, end.element != .any, end.linkedClass != target.step.classID { return nil }
      return Reached(steps: steps + [target.step], end: target.property.type)
    }
  }

  /// How many steps of the text stand before the first hop that is no single value.
  var stepsBeforeCollection: Int {
    var count = 0
    for hop in hops {
      switch hop.kind {
      case .single, .part(.index), .part(.last), .part(.key), .part(.name): count += 1
      case .entry: count += 2
      case .elements, .element, .keys, .origins, .part(.every), .part(.keys): return count
      }
    }
    return count
  }

  /// The path for sort and distinct: single links, then a single value or a part of it; nil where
  /// the path is another.
  var keyPath: PropertyPath? {
    guard startsAtRoot, let root = hops.first?.classID else { return nil }
    var steps: [PropertyPath.Step] = []
    for hop in hops {
      let place: PropertyPath.Step.Place
      switch hop.kind {
      case .single(let property):
        steps.append(PropertyPath.Step(hop.classID, .property(property)))
        continue
      case .entry(let property, let key):
        steps.append(PropertyPath.Step(hop.classID, .property(property), places: [.entry(key)]))
        continue
      case .part(.index(let index)): place = .index(index)
      case .part(.last): place = .last
      case .part(.key(let key)), .part(.name(let key, _)): place = .key(key)
      case .elements, .element, .keys, .origins, .part(.every), .part(.keys): return nil
      }
      guard let last = steps.popLast() else { return nil }
      steps.append(PropertyPath.Step(last.classID, last.kind, places: last.places + [place]))
    }
    return PropertyPath(root: root, steps: steps)
  }
}
