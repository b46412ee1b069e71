import HeraldModel

extension Binder {
  /// Binds one operand. An operand that does not depend on the object under evaluation becomes a
  /// constant.
  func side(_ syntax: ExpressionSyntax) throws(QueryError) -> BoundOperand {
    let variable =
      isObserved
      ? nil
      : syntax.startVariable.flatMap { name in
        levels.contains { $0.variable == name } ? nil : name
      }
    if variable != nil, let known = notes.knownOperand(syntax.description) { return known }
    let first = notes.reads.count
    var side = try unfolded(syntax)
    if side.operand.isFixed, !syntax.isPlain || side.isCollection && syntax.startVariable != nil {
      notes.hasValuesOfStore = true
    }
    if let quantifier = syntax.quantifier, !side.isCollection {
      throw QueryError(
        .quantifierOnSingle(
          quantifier.rawValue, operand: syntax.unquantified.description,
          type: side.element.map { schema.name(of: $0) } ?? "nil"), syntax.span)
    }
    if let reader, side.operand.isFixed, !side.isConstant {
      let known = notes.known[notes.reads.count]
      let value = known.map { .constant($0) } ?? side.operand.fixedValue(reader)
      if variable == nil { notes.note(side.operand, value, since: first) }
      side.operand = value
      side.isRead = true
    }
    if variable != nil, side.isConstant { notes.answers.operands[syntax.description] = side }
    return side
  }

  private func unfolded(_ syntax: ExpressionSyntax) throws(QueryError) -> BoundOperand {
    if let name = syntax.startVariable, !levels.contains(where: { $0.variable == name }),
      let operand = names.value(of: syntax.unquantified, from: name)
    {
      return BoundOperand(operand, syntax)
    }
    if let (present, version) = syntax.unquantified.asOfPresent {
      if resolved != nil { return BoundOperand(.constant(.null), nil, syntax) }
      guard let operand = names.value(of: present, at: PastVersion(syntax: version)) else {
        throw QueryError(.expected("a query of the present", found: "'\(version)'"), syntax.span)
      }
      return BoundOperand(operand, syntax)
    }
    switch syntax.kind {
    case .literal(let value):
      return BoundOperand(.constant(value), ElementType(of: value), syntax)
    case .list(let elements): return try list(elements, syntax)
    case .path(let path): return try self.path(path, syntax)
    case .arithmetic(let first, let terms):
      return try arithmetic(first, terms, syntax)
    case .subquery(let path, let variable, let predicate):
      return try subquery(path, variable, predicate, syntax)
    case .call(let call): return try self.call(call, syntax)
    case .fallback(let first, let other): return try fallback(first, other, syntax)
    case .duration(_, let text): throw QueryError(.durationAlone(text), syntax.span)
    case .generated(let generated):
      guard let value = value(of: generated) else { fallthrough }
      return BoundOperand(.constant(value), ElementType(of: value), syntax)
    case .record, .query, .test, .projection:
      throw QueryError(.expected("a value or a property", found: "'\(syntax)'"), syntax.span)
    }
  }

  /// The value of what is not stored; nil if there is none.
  func value(of generated: GeneratedValue) -> Value? {
    guard resolved != nil else { return names.value(of: generated) }
    switch generated {
    case .version: return .int(0)
    case .now: return .date(Timestamp(seconds: 0))
    case .inTransaction, .uuid, .objectID: return .bool(false)
    }
  }

  private func list(
    _ elements: [ExpressionSyntax], _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundOperand {
    var values: [Value] = []
    for element in elements {
      let side = try side(element)
      if let value = side.constant {
        values.append(value)
      } else if case .path(let path) = side.operand.kind, case .objects(let objects) = path.start,
        path.hops.isEmpty
      {
        values += objects.map(Value.link)
      } else if resolved != nil, side.operand.isFixed {
        // Its value is not read.
        values.append(.null)
      } else {
        throw QueryError(.listNeedsConstants(side.text), side.span)
      }
    }
    let element = values.lazy.compactMap { ElementType(of: $0) }.first
    return BoundOperand(.constants(values), element, syntax)
  }

  private func arithmetic(
    _ first: ExpressionSyntax, _ terms: [ExpressionSyntax.Term], _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundOperand {
    let left = try side(first)
    var sum = PartialSum(left, isOfValue: isOfValue, refusesZero: isObserved)
    var element = left.element
    for term in terms {
      if case .duration(let seconds, let text) = term.operand.kind {
        guard element.mayBe(.date), !term.operation.bindsTightly else {
          throw QueryError(.durationAlone(text), term.operand.span)
        }
        try sum.shift(by: term.operation == .plus ? seconds : -seconds, term.operand.span)
        element = sum.element
        continue
      }
      let next = try side(term.operand)
      try check(term.operation, on: left, as: element, next)
      try sum.append(next, term.operation, SourceSpan(start: first.span.start, end: next.span.end))
      element = sum.element
    }
    var result = BoundOperand(sum.operand, sum.element, syntax)
    guard sum.constant == nil else { return result }
    result.isDynamic = true
    result.quantifier = sum.quantifier
    return result
  }

  /// Throws unless both are numbers, or strings that `+` joins, or dates whose distance `-` is.
  ///
  /// - Parameter type: the type of the expression that begins with the left operand.
  private func check(
    _ operation: Arithmetic, on left: BoundOperand, as type: ElementType?, _ right: BoundOperand
  ) throws(QueryError) {
    if operation == .plus, type.mayBe(.string), right.element.mayBe(.string) { return }
    if operation == .minus, type.mayBe(.date), right.element.mayBe(.date) { return }
    for (side, element) in [(left, type), (right, right.element)] {
      guard let element, !element.isNumber, element != .any else { continue }
      throw QueryError(
        .arithmeticNeedsNumbers(
          operand: side.isConstant ? side.text : "'\(side.text)'",
          type: schema.name(of: element)), side.span)
    }
  }

  private func subquery(
    _ path: PathSyntax, _ variable: String, _ predicate: PredicateSyntax,
    _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundOperand {
    let objects = try self.path(
      path, ExpressionSyntax(.path(path), path.span), isCollection: true)
    guard objects.isCollection, case .link(let classID)? = objects.element,
      case .path(let bound) = objects.operand.kind
    else {
      let type = objects.element.map { schema.name(of: $0) } ?? "nil"
      throw QueryError(.notACollection(path.description, type: type), path.span)
    }
    guard !levels.contains(where: { $0.variable == variable }) else {
      throw QueryError(.variableInUse(variable), syntax.span)
    }
    let first = notes.reads.count
    let inner = entering(classID, as: variable, projection(ofRowsAt: path))
    let condition = try inner.condition(predicate)
    let operand = Operand(kind: .subquery(bound, condition), isCollection: false)
    // Each row reads the elements, which are the same for all, or which it finds by a key.
    if bound.isFixed || bound.isKeyed {
      notes.hasValuesOfStore = true
      if reader != nil { notes.note(operand, outer: levels.count, since: first) }
    }
    return BoundOperand(operand, .int, syntax)
  }
}

/// Arithmetic whose terms are being bound.
private struct PartialSum {
  private var first: Operand
  private var terms: [Operand.Term] = []
  private var isCollection: Bool
  private(set) var element: ElementType?
  private(set) var quantifier: Quantifier?
  /// The value of the terms so far, if they are constants.
  private(set) var constant: Value?
  private let isOfValue: Bool
  /// Whether a number of any type divided by zero has no value.
  private let refusesZero: Bool

  init(_ side: BoundOperand, isOfValue: Bool, refusesZero: Bool) {
    self.isOfValue = isOfValue
    self.refusesZero = refusesZero
    first = side.operand
    isCollection = side.isCollection
    element = side.element
    quantifier = side.quantifier
    constant = side.constant
  }

  var operand: Operand {
    terms.isEmpty ? first : Operand(kind: .arithmetic(first, terms), isCollection: isCollection)
  }

  /// Appends a duration, in seconds.
  mutating func shift(by seconds: Int, _ span: SourceSpan) throws(QueryError) {
    let function = ValueFunction.later(seconds: seconds)
    if let date = constant {
      let later = function.apply(to: date)
      if later.isNull, !date.isNull { throw QueryError(.overflow, span) }
      (constant, first) = (later, .constant(later))
    } else if terms.isEmpty, case .call(.later(let before), let date, _) = first.kind {
      let (sum, overflow) = before.addingReportingOverflow(seconds)
      if overflow { throw QueryError(.overflow, span) }
      first = Operand(kind: .call(.later(seconds: sum), date, []), isCollection: isCollection)
    } else {
      first = Operand(kind: .call(function, operand, []), isCollection: isCollection)
      terms = []
    }
    element = .date
  }

  /// Appends a term; `span` covers the sum including it.
  mutating func append(
    _ next: BoundOperand, _ operation: Arithmetic, _ span: SourceSpan
  ) throws(QueryError) {
    guard !isCollection || !next.isCollection else {
      throw QueryError(.arithmeticOnLists(operation.rawValue), span)
    }
    if let left = constant, let right = next.constant {
      let isZero = refusesZero && operation.isDivision && right.number?.asInteger == 0
      if isOfValue, isZero || operation.dividesByZero(left, right) {
        throw QueryError(.divisionByZero("\(left.literalText) \(operation.rawValue) 0"), span)
      }
      let value = operation.apply(left, right)
      if value.isNull, left.number != nil, right.number != nil { throw QueryError(.overflow, span) }
      constant = value
      first = .constant(value)
      element = ElementType(of: value)
      return
    }
    constant = nil
    terms.append(Operand.Term(operation: operation, operand: next.operand))
    element = ElementType(ofArithmeticOn: element, next.element)
    isCollection = isCollection || next.isCollection
    quantifier = quantifier ?? next.quantifier
  }
}

extension ElementType {
  /// Makes the result type of arithmetic on two operands; `any` if only their values determine it.
  fileprivate init(ofArithmeticOn a: ElementType?, _ b: ElementType?) {
    if a == .any || b == .any {
      self = .any
    } else if a == .date || b == .date {
      self = .double
    } else if a == .string || b == .string {
      self = .string
    } else if a == .decimal || b == .decimal {
      self = .decimal
    } else {
      self = a == .int && b == .int ? .int : .double
    }
  }
}

extension BoundOperand {
  /// Makes a side of constants from a value that was already read.
  fileprivate init(_ operand: QueryOperand, _ syntax: ExpressionSyntax) {
    switch operand {
    case .value(let value): self.init(.constant(value), ElementType(of: value), syntax)
    case .values(let values):
      self.init(
        .constants(values), values.lazy.compactMap { ElementType(of: $0) }.first, syntax)
    case .objects(let classID, let numbers):
      self.init(
        .constants(numbers.map { .link(ObjectID(classID, $0)) }), .link(classID), syntax)
    }
  }
}

extension ElementType? {
  /// Whether a value may be of a type: it is, or it is of any type, or nil.
  fileprivate func mayBe(_ element: ElementType) -> Bool {
    self == nil || self == element || self == .any
  }
}

extension ExpressionSyntax {
  fileprivate var unquantified: ExpressionSyntax { ExpressionSyntax(kind, span) }

  /// The expression without the version of the query at its start, and that version; nil if it has none.
  fileprivate var asOfPresent: (ExpressionSyntax, VersionSyntax)? {
    switch kind {
    case .path(let path):
      guard let (path, version) = path.asOfPresent else { return nil }
      return (ExpressionSyntax(.path(path), quantifier: quantifier, span), version)
    case .subquery(let path, let variable, let predicate):
      guard let (path, version) = path.asOfPresent else { return nil }
      let kind = Kind.subquery(path, variable: variable, predicate)
      return (ExpressionSyntax(kind, quantifier: quantifier, span), version)
    case .literal, .list, .arithmetic, .call, .fallback, .duration, .record, .generated, .query,
      .test, .projection:
      return nil
    }
  }

  /// Whether its value is in the text, or is the whole value of a variable.
  fileprivate var isPlain: Bool {
    switch kind {
    case .literal, .generated, .duration: true
    case .list(let elements): elements.allSatisfy(\.isPlain)
    case .path(let path): if case .variable = path.start { path.steps.isEmpty } else { false }
    case .arithmetic(let first, let terms):
      first.isPlain && terms.allSatisfy { $0.operand.isPlain }
    case .call(let call): call.arguments.allSatisfy(\.isPlain)
    case .fallback(let first, let other): first.isPlain && other.isPlain
    case .subquery, .record, .query, .test, .projection: false
    }
  }

  /// The variable that a path, or the path of a subquery, starts from.
  fileprivate var startVariable: String? {
    switch kind {
    case .path(let path), .subquery(let path, _, _):
      if case .variable(let name) = path.start { name } else { nil }
    case .literal, .list, .arithmetic, .call, .fallback, .duration, .record, .generated, .query,
      .test, .projection:
      nil
    }
  }
}
