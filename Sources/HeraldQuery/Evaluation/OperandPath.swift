import HeraldModel

/// A path bound to a schema: its start, and one hop for each step.
struct OperandPath: Sendable {
  enum Start: Sendable {
    /// The object that the condition is evaluated for.
    case root
    /// The object of an enclosing condition: 0 is the outermost.
    case outer(Int)
    /// Objects given by a variable or a key, the same for every row.
    case objects([ObjectID])
    /// The object with a key.
    indirect case keyed(KeyedObject)
    /// Every object of a class.
    case extent(ClassID)
    /// The rows of a query.
    case rows(QueriedRows)
  }

  struct Hop: Sendable {
    enum Kind: Sendable {
      /// A single value or link; from nil, nil.
      case single(PropertyID)
      /// Every element of a list or a set, every value of a map.
      case elements(PropertyID)
      /// One element of a list; nil if the list is shorter.
      case element(PropertyID, ListPosition)
      /// The value of a map's key; nil if the map has no such key.
      case entry(PropertyID, String)
      /// Every key of a map.
      case keys(PropertyID)
      /// The objects that link here, once for each link.
      case origins(ClassID, PropertyID)
      /// A step into an `any`.
      case part(DynamicStep)
    }
    /// The class whose objects the hop starts from; for a `part`, that of the hop before it.
    let classID: ClassID
    let kind: Kind

    var isCollection: Bool {
      switch kind {
      case .elements, .keys, .origins: true
      case .single, .element, .entry: false
      case .part(let part): part.isCollection
      }
    }

    var isPart: Bool { if case .part = kind { true } else { false } }

    /// Whether it is a step within a value of type `any`, and not to a property of an object that this links to.
    var isWithinValue: Bool {
      guard case .part(let part) = kind else { return false }
      if case .name = part { return isMapKey }
      return true
    }

    /// Whether a name can only be the key of a map: no class has a property with this name, and it derives no value from a
    /// string or a date.
    var isMapKey: Bool {
      guard case .part(.name(let name, let targets)) = kind, targets.isEmpty else { return false }
      return ValueMeasure(name, of: .string) == nil && ValueMeasure(name, of: .date) == nil
    }
  }

  enum ListPosition: Sendable {
    case index(Int)
    case last
  }

  var start: Start
  var hops: [Hop] = []

  /// Whether the path starts at the object that the condition is evaluated for.
  var startsAtRoot: Bool {
    switch start {
    case .root: true
    case .outer, .objects, .keyed, .extent, .rows: false
    }
  }

  /// Whether the path does not depend on the object under evaluation.
  var isFixed: Bool {
    switch start {
    case .objects, .extent, .rows: true
    case .keyed(let keyed): keyed.key.isFixed
    case .root, .outer: false
    }
  }

  /// The property, if the path is one single-valued property of the object itself.
  var ownColumn: PropertyID? {
    guard case .root = start, hops.count == 1, case .single(let property) = hops[0].kind else {
      return nil
    }
    return property
  }
}
