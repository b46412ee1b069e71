import HeraldModel

/// Where the binding of a path has come to.
struct PathWalk {
  var path: OperandPath
  /// What stands at the end so far; nil for a constant that is nil.
  var element: ElementType?
  /// A variable's values, where the path starts from them.
  var constant: Operand?
  /// The operand that an operation has made of the path: nothing can follow it.
  var result: Operand?
  var startsFromCollection: Bool
  var type: PropertyType?
  /// Whether what follows concerns the values of the collection at the end, not the collection:
  /// after `[*]` and `@values`.
  var isSpread = false
  /// Whether the path has become the types of its values.
  var isTypes = false
  /// The hop that leads to values of a list, a set or a map, where one does.
  var valueHop: Int?
  private let steps: [PathSyntax.Step]
  private var place = 0
  /// As it was written, as far as it has come.
  var text: String
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

  mutating func note(_ step: PathSyntax.Step) {
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
  var map: (property: PropertyID, classID: ClassID)? {
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

  // MARK: The end

  func side(_ syntax: ExpressionSyntax) -> BoundSide {
    let operand = result ?? constant ?? grouped(isCollection: isCollectionPath) { .path($0) }
    var side = BoundSide(operand, element, syntax)
    let isOfLinks = operand.isCollection && element?.isLink ?? false && type?.shape != .map
    side.isLinkList = isOfLinks && (endsInCollection || syntax.quantifier == nil)
    side.isOfValues = operand.isCollection && valueHop != nil && result == nil
    side.isTypes = isTypes
    side.isStaticType = isTypes && side.isConstant && path.startsAtRoot && constant == nil
    return side
  }

  /// An operand of the path: of many owners, each with values of its own, one operand for each.
  func grouped(isCollection: Bool, _ kind: (OperandPath) -> Operand.Kind) -> Operand {
    guard let valueHop,
      startsFromCollection || path.hops[..<valueHop].contains(where: \.isCollection)
    else { return Operand(kind: kind(path), isCollection: isCollection) }
    let owners = OperandPath(start: path.start, hops: Array(path.hops[..<valueHop]))
    let own = OperandPath(start: .root, hops: Array(path.hops[valueHop...]))
    let isMany = own.hops.contains(where: \.isCollection)
    let operand = Operand(kind: kind(own), isCollection: isMany)
    return Operand(kind: .each(owners, operand), isCollection: true)
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
