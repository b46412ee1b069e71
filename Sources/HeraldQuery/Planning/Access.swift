import HeraldModel

/// The access path to the objects that a condition may hold for.
indirect enum Access: Sendable {
  /// No object matches.
  case nothing
  /// Every object of the class matches.
  case everything
  /// Every block is scanned.
  case scan
  case index(IndexLookup)
  /// The union of several accesses: for a condition with alternatives.
  case union([Access])
  case links(LinkAccess)
}

/// Objects found by following links, from the objects that they link to or that link to them.
struct LinkAccess: Sendable {
  enum Way: Sendable {
    /// Backward from the targets of a property of the class.
    case back(property: PropertyID)
    /// Forward from the objects of a class along its property, which links to this class.
    case forward(origin: ClassID, property: PropertyID)
  }
  let way: Way
  let targetClass: ClassID
  let targets: [ObjectNumber]
  /// The query for the targets; nil if the condition contains them.
  let inner: BoundQuery?
  let isExact: Bool
}

/// An access and its result.
struct CandidateObjects: Sendable {
  let access: Access
  /// The part of the condition that the access covers.
  let condition: Condition
  /// The number of objects that the access returns, including duplicates.
  let count: Int
}

extension Access {
  /// Whether the condition holds for every object that the access returns.
  var isExact: Bool {
    switch self {
    case .nothing, .everything: true
    case .scan: false
    case .index(let lookup): lookup.isExact
    case .union(let parts): parts.allSatisfy(\.isExact)
    case .links(let links): links.isExact
    }
  }

  /// Returns the objects, in any order, possibly with duplicates.
  func numbers(of classID: ClassID, _ reader: any ObjectReader) -> [ObjectNumber] {
    switch self {
    case .nothing, .everything, .scan: return []
    case .index(let lookup):
      if lookup.ranges.count == 1 {
        return reader.indexed(lookup.property, of: classID, in: lookup.ranges[0]) ?? []
      }
      return lookup.ranges.flatMap {
        reader.indexed(lookup.property, of: classID, in: $0) ?? []
      }
    case .union(let parts): return parts.flatMap { $0.numbers(of: classID, reader) }
    case .links(let links): return links.numbers(of: classID, reader)
    }
  }
}

extension LinkAccess {
  func numbers(of classID: ClassID, _ reader: any ObjectReader) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    for target in targets {
      let object = ObjectID(targetClass, target)
      switch way {
      case .back(let property):
        reader.forEachOrigin(of: object, origin: classID, property: property) { number, _ in
          numbers.append(number)
          return true
        }
      case .forward(let origin, let property):
        reader.forEachTarget(of: object, origin: origin, property) { target in
          if target.classID == classID { numbers.append(target.number) }
        }
      }
    }
    return numbers
  }
}

extension ObjectReader {
  /// Calls `body` with every object that a property of `object` links to.
  func forEachTarget(
    of object: ObjectID, origin: ClassID, _ property: PropertyID, _ body: (ObjectID) -> Void
  ) {
    guard let type = schema.classSchema(origin)?.property(property)?.type else { return }
    guard type.isCollection else {
      value(property, of: object).forEachLink(body)
      return
    }
    forEachElement(property, of: object) { value in
      value.forEachLink(body)
      return true
    }
  }
}
