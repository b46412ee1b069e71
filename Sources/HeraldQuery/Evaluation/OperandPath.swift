import HeraldModel

/// A path that is bound to a schema: where it starts, and one hop for each step.
struct OperandPath: Sendable {
  enum Start: Sendable {
    /// The object that the condition is about.
    case root
    /// The object of a condition around this one: 0 is the outermost.
    case outer(Int)
    /// Objects that a variable or a key named, the same for every row.
    case objects([ObjectID])
    /// Every object of a class.
    case extent(ClassID)
  }

  struct Hop: Sendable {
    enum Kind: Sendable {
      /// A single value or link; nil leads to nil.
      case single(PropertyID)
      /// Every element of a list or a set, every value of a map.
      case elements(PropertyID)
      /// One element of a list; nil where the list is shorter.
      case element(PropertyID, ListPlace)
      /// The value of a map's key; nil where the map has no such key.
      case entry(PropertyID, String)
      /// Every key of a map.
      case keys(PropertyID)
      /// The objects that link here, each once for each of its links.
      case origins(ClassID, PropertyID)
      /// A step into an `any`.
      case part(ValuePart)
    }
    /// The class whose objects the hop starts from; of a part, those of the hop before it.
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
  }

  enum ListPlace: Sendable {
    case index(Int)
    case last
  }

  var start: Start
  var hops: [Hop] = []

  /// Whether the path reads the object that the condition is about.
  var startsAtRoot: Bool {
    switch start {
    case .root: true
    case .outer, .objects, .extent: false
    }
  }

  /// Whether the path leads to the same values whatever object is asked about.
  var isFixed: Bool {
    switch start {
    case .objects, .extent: true
    case .root, .outer: false
    }
  }

  /// The property, where the path is one single-valued property of the object itself.
  var ownColumn: PropertyID? {
    guard case .root = start, hops.count == 1, case .single(let property) = hops[0].kind else {
      return nil
    }
    return property
  }
}
