import HeraldModel

/// The state of binding a path, step by step.
struct PathBinding {
  var path: OperandPath
  /// The element type at the end so far; nil for a constant that is nil.
  var element: ElementType?
  /// A variable's values, if the path starts from them.
  var constant: Operand?
  /// The operand that an operation made of the path; no step can follow it.
  var result: Operand?
  var startsFromCollection: Bool
  var type: PropertyType?
  /// Whether the next step applies to the values of the collection at the end, not to the collection:
  /// after `[*]` and `@values`.
  var isSpread = false
  /// Whether the path was turned into the types of its values.
  var isTypes = false
  /// The index of the hop to the values of a list, a set or a map, if there is one.
  var valueHop: Int?
  private let steps: [PathSyntax.Step]
  private var nextIndex = 0
  /// The source text of the steps so far.
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

  var nextStep: PathSyntax.Step? { nextIndex < steps.count ? steps[nextIndex] : nil }

  mutating func takeStep() -> PathSyntax.Step? {
    guard let step = nextStep else { return nil }
    nextIndex += 1
    return step
  }

  mutating func note(_ step: PathSyntax.Step) {
    let part = step.kind.text
    text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    lastSpan = step.span
  }

  /// Whether the path is the object under evaluation so far.
  var isRoot: Bool {
    guard text.isEmpty, path.hops.isEmpty, !startsFromCollection, case .root = path.start else {
      return false
    }
    return true
  }

  /// Whether the path is only a class so far.
  var isWholeClass: Bool {
    guard path.hops.isEmpty, case .extent = path.start else { return false }
    return true
  }

  /// Whether a step may follow.
  var isOpen: Bool { result == nil }

  /// Whether the path can have any number of values.
  var isCollectionPath: Bool {
    result == nil && (startsFromCollection || path.hops.contains(where: \.isCollection))
  }

  /// Whether the path ends in a collection.
  var endsInCollection: Bool {
    result == nil && (path.hops.last?.isCollection ?? startsFromCollection)
  }

  /// The map at the end; nil if there is none.
  var map: (property: PropertyID, classID: ClassID)? {
    guard result == nil, !isSpread, type?.shape == .map, let last = path.hops.last,
      case .elements(let property) = last.kind
    else { return nil }
    return (property, last.classID)
  }

  var endsInMap: Bool { map != nil }

  /// Whether the type at the end is known only at evaluation.
  var isDynamic: Bool {
    result == nil && constant == nil && element == .any && (isSpread || !endsInCollection)
  }

  /// Whether the values at the end are elements of a collection of any type.
  var endsInAny: Bool { result == nil && constant == nil && element == .any }

  // MARK: The end

  func side(_ syntax: ExpressionSyntax) -> BoundOperand {
    let operand = result ?? constant ?? grouped(isCollection: isCollectionPath) { .path($0) }
    var side = BoundOperand(operand, element, syntax)
    let isOfLinks = operand.isCollection && element?.isLink ?? false && type?.shape != .map
    side.isLinkList = isOfLinks && (endsInCollection || syntax.quantifier == nil)
    side.isOfValues = operand.isCollection && valueHop != nil && result == nil
    side.isTypes = isTypes
    side.isStaticType = isTypes && side.isConstant && path.startsAtRoot && constant == nil
    return side
  }

  /// Returns an operand of the path; if several owners have values of their own, one for each owner.
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

  func notIndexable(_ schema: Schema) -> QueryError {
    guard endsInCollection, result == nil else { return notACollection(schema) }
    return QueryError(.notIndexable(text, type: typeName(schema)), lastSpan)
  }

  func notAMap(_ schema: Schema) -> QueryError {
    QueryError(.notAMap(text, type: typeName(schema)), lastSpan)
  }

  func notACollection(_ schema: Schema) -> QueryError {
    QueryError(.notACollection(text, type: typeName(schema)), lastSpan)
  }
}
