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
      /// Every element of a list.
      case elements(PropertyID)
      /// One element of a list; nil where the list is shorter.
      case element(PropertyID, ListPlace)
      /// The objects that link here, each once for each of its links.
      case origins(ClassID, PropertyID)
    }
    /// The class whose objects the hop starts from.
    let classID: ClassID
    let kind: Kind

    var isCollection: Bool {
      switch kind {
      case .elements, .origins: true
      case .single, .element: false
      }
    }
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

extension OperandPath {
  /// Calls `body` with every value at the end, until it answers false; answers whether all were
  /// seen. A link that is nil makes a path of single values nil, and is no element of a collection.
  func forEachValue(_ scope: Scope, _ body: (Value) -> Bool) -> Bool {
    switch start {
    case .root: return walk(0, scope.root, scope.reader, body)
    case .outer(let depth): return walk(0, scope.outer[depth], scope.reader, body)
    case .objects(let objects):
      return objects.allSatisfy { walk(0, $0, scope.reader, body) }
    case .extent(let classID):
      for block in 0..<scope.reader.blockCount(of: classID) {
        let presence = scope.reader.presence(of: classID, block: block)
        for bit in BlockBits(presence) {
          let object = ObjectID(classID, block * blockSize + bit)
          guard walk(0, object, scope.reader, body) else { return false }
        }
      }
      return true
    }
  }

  /// The value of a path without collections.
  func value(_ scope: Scope) -> Value {
    var result = Value.null
    _ = forEachValue(scope) { value in
      result = value
      return false
    }
    return result
  }

  private func walk(
    _ index: Int, _ object: ObjectID, _ reader: any ObjectReader, _ body: (Value) -> Bool
  ) -> Bool {
    guard index < hops.count else { return body(.link(object)) }
    switch hops[index].kind {
    case .single(let property):
      return enter(index, reader.value(property, of: object), reader, body)
    case .element(let property, let place):
      return enter(index, element(property, place, object, reader), reader, body)
    case .elements(let property):
      var isComplete = true
      reader.forEachElement(property, of: object) { value in
        isComplete = enter(index, value, reader, body)
        return isComplete
      }
      return isComplete
    case .origins(let origin, let property):
      var isComplete = true
      reader.forEachOrigin(of: object, origin: origin, property: property) { number, links in
        for _ in 0..<links where isComplete {
          isComplete = walk(index + 1, ObjectID(origin, number), reader, body)
        }
        return isComplete
      }
      return isComplete
    }
  }

  /// Goes on from what a hop led to.
  private func enter(
    _ index: Int, _ value: Value, _ reader: any ObjectReader, _ body: (Value) -> Bool
  ) -> Bool {
    if index + 1 == hops.count { return body(value) }
    if case .link(let next) = value { return walk(index + 1, next, reader, body) }
    return hops[(index + 1)...].contains(where: \.isCollection) ? true : body(.null)
  }

  private func element(
    _ property: PropertyID, _ place: ListPlace, _ object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let count = reader.listCount(property, of: object)
    let index =
      switch place {
      case .index(let index): index
      case .last: count - 1
      }
    guard index >= 0, index < count else { return .null }
    return reader.listElement(property, of: object, at: index)
  }

  /// The number of values at the end, without reading the elements of the last list.
  func count(_ scope: Scope) -> Int {
    var total = 0
    guard let last = hops.last, last.isCollection else {
      if hops.isEmpty, case .extent(let classID) = start {
        return scope.reader.objectCount(of: classID)
      }
      _ = forEachValue(scope) { value in
        total += value.isNull ? 0 : 1
        return true
      }
      return total
    }
    let owners = OperandPath(start: start, hops: hops.dropLast())
    _ = owners.forEachValue(scope) { value in
      guard case .link(let owner) = value else { return true }
      switch last.kind {
      case .elements(let property): total += scope.reader.listCount(property, of: owner)
      case .origins(let origin, let property):
        scope.reader.forEachOrigin(of: owner, origin: origin, property: property) { _, links in
          total += links
          return true
        }
      case .single, .element: break
      }
      return true
    }
    return total
  }
}

extension OperandPath {
  /// The path from `root` whose changes change the values; nil where it has no steps.
  var dependency: PropertyPath? {
    guard let first = hops.first else { return nil }
    let steps = hops.map { hop in
      let kind: PropertyPath.Step.Kind =
        switch hop.kind {
        case .single(let property), .elements(let property), .element(let property, _):
          .property(property)
        case .origins(let origin, let property): .backlinks(origin: origin, property: property)
        }
      return PropertyPath.Step(hop.classID, kind)
    }
    return PropertyPath(root: first.classID, steps: steps)
  }
}
