import HeraldModel

extension OperandPath {
  /// The paths from the root whose changes change the values; none if the path has no steps.
  ///
  /// There are several if the path follows a link in an `any`, which may lead to any class.
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
        // The `any` may also hold a map, so the path up to it is a dependency too.
        let sorted = targets.values.sorted { $0.step.classID < $1.step.classID }
        let further = reached.flatMap { path in sorted.compactMap { path.entering($0) } }
        guard reached.count + further.count <= OperandPath.dependencyLimit else { break }
        reached += further
      case .part(.index), .part(.last), .part(.every), .part(.keys), .part(.key), .part(.measure):
        break
      }
    }
    return reached.map { PropertyPath(root: root, steps: $0.steps) }
  }

  /// A bound on the paths, which multiply if every class has the names of the steps.
  private static let dependencyLimit = 256

  /// A partial path, and the type at its end.
  private struct Reached {
    var steps: [PropertyPath.Step] = []
    /// The type of the last property, if a link in an `any` led to it; else nil.
    var end: PropertyType?

    /// Returns the path extended by a property of an object that may be here; nil if it cannot.
    func entering(_ target: DynamicStep.Target) -> Reached? {
      if let end, end.element != .any, end.linkedClass != target.step.classID { return nil }
      return Reached(steps: steps + [target.step], end: target.property.type)
    }
  }

  /// The number of steps in the text before the first hop that is not a single value.
  var stepsBeforeCollection: Int {
    var count = 0
    for hop in hops {
      switch hop.kind {
      case .single, .part(.index), .part(.last), .part(.key), .part(.name), .part(.measure):
        count += 1
      case .entry: count += 2
      case .elements, .element, .keys, .origins, .part(.every), .part(.keys): return count
      }
    }
    return count
  }

  /// The path for sort and distinct: single links, then a single value or a value nested in it; nil for
  /// any other path, such as one over a link in an `any`.
  var keyPath: PropertyPath? {
    guard startsAtRoot, let root = hops.first?.classID else { return nil }
    var steps: [PropertyPath.Step] = []
    for hop in hops {
      let position: PropertyPath.Step.Position
      switch hop.kind {
      case .single(let property):
        steps.append(PropertyPath.Step(hop.classID, .property(property)))
        continue
      case .entry(let property, let key):
        steps.append(PropertyPath.Step(hop.classID, .property(property), positions: [.entry(key)]))
        continue
      case .part(.index(let index)): position = .index(index)
      case .part(.last): position = .last
      case .part(.key(let key)): position = .key(key)
      case .part(.name(let key, _)) where hop.isMapKey: position = .key(key)
      case .part(.name), .elements, .element, .keys, .origins, .part(.every), .part(.keys),
        .part(.measure):
        return nil
      }
      guard let last = steps.popLast() else { return nil }
      steps.append(
        PropertyPath.Step(last.classID, last.kind, positions: last.positions + [position]))
    }
    return PropertyPath(root: root, steps: steps)
  }
}
