import HeraldModel

/// Where the binding of a path has come to.
struct PathWalk {
  private var path: OperandPath
  /// What stands at the end so far; nil for a constant that is nil.
  private(set) var element: ElementType?
  /// A variable's values, where the path starts from them.
  var constant: Operand?
  /// The operand that an operation has made of the path: nothing can follow it.
  private var result: Operand?
  private var startsFromCollection: Bool
  private var type: PropertyType?
  /// Whether what follows concerns the values of the collection at the end, not the collection:
  /// after `[*]` and `@values`.
  private var isSpread = false
  /// Whether the path has become the types of its values.
  private var isTypes = false
  private let steps: [PathSyntax.Step]
  private var place = 0
  private(set) var text: String
  private(set) var lastSpan: SourceSpan

  init(
    _ start: OperandPath.Start, _ element: ElementType?, _ syntax: PathSyntax, isCollection: Bool
  ) {
    path = OperandPath(start: start)
    self.element = element
    startsFromCollection = isCollection
    steps = syntax.steps
    text =
      PathSyntax(
        start: syntax.start, startSpan: syntax.startSpan, steps: [], span: syntax.span
      ).description
    lastSpan = syntax.startSpan
  }

  var nextStep: PathSyntax.Step? { place < steps.count ? steps[place] : nil }

  mutating func takeStep() -> PathSyntax.Step? {
    guard let step = nextStep else { return nil }
    place += 1
    return step
  }

  private mutating func note(_ step: PathSyntax.Step) {
    let part = step.kind.text
    text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    lastSpan = step.span
  }

  /// Whether the path is a class and nothing else yet.
  var isWholeClass: Bool {
    guard path.hops.isEmpty, case .extent = path.start else { return false }
    return true
  }

  /// Whether a step may follow.
  var isOpen: Bool { result == nil }

  /// Whether the path leads to any number of values.
  var isCollectionPath: Bool {
    result == nil && (startsFromCollection || path.hops.contains(where: \.isCollection))
  }

  /// Whether the last thing on the path is a collection.
  var endsInCollection: Bool {
    result == nil && (path.hops.last?.isCollection ?? startsFromCollection)
  }

  /// The map at the end; nil where another thing stands there.
  private var map: (property: PropertyID, classID: ClassID)? {
    guard result == nil, !isSpread, type?.shape == .map, let last = path.hops.last,
      case .elements(let property) = last.kind
    else { return nil }
    return (property, last.classID)
  }

  var endsInMap: Bool { map != nil }

  /// Whether what stands at the end is known only when it is there.
  var isDynamic: Bool {
    result == nil && constant == nil && element == .any && (isSpread || !endsInCollection)
  }

  /// Whether the values at the end are elements of a collection of any type.
  var endsInAny: Bool { result == nil && constant == nil && element == .any }

  // MARK: Steps

  private mutating func append(_ kind: OperandPath.Hop.Kind, of classID: ClassID) {
    path.hops.append(OperandPath.Hop(classID: classID, kind: kind))
    isSpread = false
  }

  mutating func enter(
    _ property: PropertySchema, of classID: ClassID, _ step: PathSyntax.Step
  ) {
    let kind: OperandPath.Hop.Kind =
      switch property.type.shape {
      case .single: .single(property.id)
      case .list, .set, .map, .backlinks: .elements(property.id)
      }
    append(kind, of: classID)
    element = property.type.element
    type = property.type
    note(step)
  }

  /// Goes into the `any` at the end.
  mutating func enter(_ part: ValuePart, _ step: PathSyntax.Step) {
    enter(part)
    note(step)
  }

  private mutating func enter(_ part: ValuePart) {
    append(.part(part), of: path.hops.last?.classID ?? ClassID(0))
    type = nil
    switch part {
    case .keys: element = .string
    case .every:
      element = .any
      isSpread = true
    case .index, .last, .key, .name: element = .any
    }
  }

  /// Goes to a key's value in the map at the end; false where there is no map.
  mutating func enterEntry(_ key: String, _ step: PathSyntax.Step) -> Bool {
    guard let map else { return false }
    path.hops.removeLast()
    append(.entry(map.property, key), of: map.classID)
    type = nil
    note(step)
    return true
  }

  /// Goes to the keys of the map at the end; false where there is no map.
  mutating func enterKeys(_ step: PathSyntax.Step) -> Bool {
    guard let map else { return false }
    path.hops.removeLast()
    append(.keys(map.property), of: map.classID)
    type = nil
    element = .string
    note(step)
    return true
  }

  /// Goes to the values of the collection at the end; false where there is none.
  mutating func spread(_ step: PathSyntax.Step) -> Bool {
    guard endsInCollection else { return false }
    if isSpread, element == .any { enter(.every) }
    isSpread = true
    note(step)
    return true
  }

  /// Turns the path into the types of its values.
  mutating func types(_ step: PathSyntax.Step) {
    result = Operand(kind: .measure(.type, path), isCollection: isCollectionPath)
    element = .string
    isTypes = true
    note(step)
  }

  /// Turns the path into the sum of other paths' counts.
  mutating func countOrigins(
    _ origins: [(classID: ClassID, property: PropertyID)], of classID: ClassID,
    _ step: PathSyntax.Step
  ) {
    var sum = Operand.constant(.int(0))
    for origin in origins {
      var path = path
      let kind = OperandPath.Hop.Kind.origins(origin.classID, origin.property)
      path.hops.append(OperandPath.Hop(classID: classID, kind: kind))
      let count = Operand(kind: .count(path), isCollection: false)
      sum = Operand(kind: .arithmetic(sum, .plus, count), isCollection: false)
    }
    result = sum
    element = .int
    note(step)
  }

  mutating func enterOrigins(
    _ origin: ClassID, _ property: PropertyID, of classID: ClassID, _ step: PathSyntax.Step
  ) {
    append(.origins(origin, property), of: classID)
    element = .link(origin)
    type = nil
    note(step)
  }

  /// Goes to one element of the list at the end; false where there is no list.
  mutating func choose(_ place: OperandPath.ListPlace, _ step: PathSyntax.Step) -> Bool {
    guard endsInCollection else { return false }
    if let last = path.hops.last {
      guard case .elements(let property) = last.kind, type?.shape == .list else { return false }
      path.hops[path.hops.count - 1] = OperandPath.Hop(
        classID: last.classID, kind: .element(property, place))
    } else {
      guard case .objects(let objects) = path.start else { return false }
      let chosen: ObjectID? =
        switch place {
        case .index(let index): index < objects.count ? objects[index] : nil
        case .last: objects.last
        }
      if let chosen {
        path.start = .objects([chosen])
      } else {
        become(.constant(.null), step)
        return true
      }
      startsFromCollection = false
    }
    type = nil
    note(step)
    return true
  }

  mutating func become(_ operand: Operand, _ step: PathSyntax.Step) {
    constant = operand
    if case .constant(let value) = operand.kind { element = ElementType(of: value) }
    startsFromCollection = operand.isCollection
    note(step)
  }

  /// Turns the path into the number of its values; false where it has none that can be counted.
  mutating func count(_ step: PathSyntax.Step) -> Bool {
    guard result == nil else { return false }
    let operand: Operand
    if isDynamic {
      operand = Operand(kind: .measure(.length, path), isCollection: isCollectionPath)
    } else if endsInCollection || element?.isLink ?? false {
      operand = perOwner(ofValuesOnly: true) { .count($0) }
    } else if element?.isText ?? false {
      operand = perOwner(ofValuesOnly: false) { .measure(.length, $0) }
    } else {
      return false
    }
    result = operand
    element = .int
    note(step)
    return true
  }

  mutating func aggregate(
    _ operation: CollectionOperation, isOfObjects: Bool, _ value: ElementType,
    _ step: PathSyntax.Step
  ) {
    if isDynamic, !isCollectionPath { enter(.every) }
    result =
      isOfObjects || !endsInCollection
      ? Operand(kind: .aggregate(operation, path, of: value), isCollection: false)
      : perOwner(ofValuesOnly: true) { .aggregate(operation, $0, of: value) }
    element =
      switch operation {
      case .count: .int
      case .min, .max: value
      case .sum:
        value == .int ? .int : value == .decimal || value == .any ? .decimal : .double
      case .average: value == .decimal || value == .any ? .decimal : .double
      }
    note(step)
  }

  /// An operand of the last hop: one for each of its owners, where a collection leads to them and
  /// the last hop is not itself a collection of objects.
  private func perOwner(
    ofValuesOnly: Bool, _ kind: (OperandPath) -> Operand.Kind
  ) -> Operand {
    let owners = OperandPath(start: path.start, hops: path.hops.dropLast())
    let isMany = startsFromCollection || owners.hops.contains(where: \.isCollection)
    let joinsAll = ofValuesOnly && (element?.isLink ?? true)
    guard let last = path.hops.last, isMany, !joinsAll else {
      return Operand(kind: kind(path), isCollection: false)
    }
    let own = Operand(kind: kind(OperandPath(start: .root, hops: [last])), isCollection: false)
    return Operand(kind: .each(owners, own), isCollection: true)
  }

  // MARK: The end

  func side(_ syntax: ExpressionSyntax) -> BoundSide {
    let operand =
      result ?? constant ?? Operand(kind: .path(path), isCollection: isCollectionPath)
    var side = BoundSide(operand, element, syntax)
    side.isLinkList =
      operand.isCollection && endsInCollection && element?.isLink ?? false
      && type?.shape != .map
    side.isTypes = isTypes
    return side
  }

  /// The path's hops, for sort and distinct.
  var hops: [OperandPath.Hop] { path.hops }

  func typeName(_ schema: Schema) -> String {
    if result == nil, let type { return schema.name(of: type) }
    return element.map { schema.name(of: $0) } ?? "nil"
  }

  func noPlaces(_ schema: Schema) -> QueryError {
    guard endsInCollection, result == nil else { return notACollection(schema) }
    return QueryError(.noPlaces(text, type: typeName(schema)), lastSpan)
  }

  func notAMap(_ schema: Schema) -> QueryError {
    QueryError(.notAMap(text, type: typeName(schema)), lastSpan)
  }

  func notACollection(_ schema: Schema) -> QueryError {
    QueryError(.notACollection(text, type: typeName(schema)), lastSpan)
  }
}
