import HeraldModel

extension Binder {
  /// Binds one operand; what does not depend on the object that is asked about becomes a constant.
  func side(_ syntax: ExpressionSyntax) throws(QueryError) -> BoundSide {
    var side = try unfolded(syntax)
    if let quantifier = syntax.quantifier, !side.isCollection {
      throw QueryError(
        .quantifierOnSingle(
          quantifier.rawValue, operand: syntax.unquantified.description,
          type: side.element.map { schema.name(of: $0) } ?? "nil"), syntax.span)
    }
    if let reader, side.operand.isFixed, !side.isConstant {
      let scope = Scope(reader: reader, root: ObjectID(ClassID(0), 0))
      side.operand =
        side.isCollection
        ? .constants(side.operand.values(scope)) : .constant(side.operand.value(scope))
    }
    return side
  }

  private func unfolded(_ syntax: ExpressionSyntax) throws(QueryError) -> BoundSide {
    switch syntax.kind {
    case .literal(let value):
      return BoundSide(.constant(value), ElementType(of: value), syntax)
    case .list(let elements): return try list(elements, syntax)
    case .path(let path): return try self.path(path, syntax)
    case .arithmetic(let left, let operation, let right):
      return try arithmetic(left, operation, right, syntax)
    case .subquery(let path, let variable, let predicate):
      return try subquery(path, variable, predicate, syntax)
    }
  }

  private func list(
    _ elements: [ExpressionSyntax], _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundSide {
    var values: [Value] = []
    for element in elements {
      let side = try side(element)
      if let value = side.constant {
        values.append(value)
      } else if case .path(let path) = side.operand.kind, case .objects(let objects) = path.start,
        path.hops.isEmpty
      {
        values += objects.map(Value.link)
      } else {
        throw QueryError(.listNeedsConstants(side.text), side.span)
      }
    }
    let element = values.lazy.compactMap { ElementType(of: $0) }.first
    return BoundSide(.constants(values), element, syntax)
  }

  private func arithmetic(
    _ left: ExpressionSyntax, _ operation: Arithmetic, _ right: ExpressionSyntax,
    _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundSide {
    let (a, b) = (try side(left), try side(right))
    for side in [a, b] {
      if let element = side.element, !element.isNumber, element != .any {
        throw QueryError(
          .arithmeticNeedsNumbers(
            operand: side.isConstant ? side.text : "'\(side.text)'",
            type: schema.name(of: element)), side.span)
      }
    }
    guard !a.isCollection || !b.isCollection else {
      throw QueryError(.arithmeticOnLists(operation.rawValue), syntax.span)
    }
    let element = ElementType(ofArithmeticOn: a.element, b.element)
    if let x = a.constant, let y = b.constant {
      let value = operation.apply(x, y)
      if value.isNull, x.number != nil, y.number != nil { throw QueryError(.overflow, syntax.span) }
      return BoundSide(.constant(value), ElementType(of: value), syntax)
    }
    let operand = Operand(
      kind: .arithmetic(a.operand, operation, b.operand),
      isCollection: a.isCollection || b.isCollection)
    var result = BoundSide(operand, element, syntax)
    result.isDynamic = true
    result.quantifier = a.quantifier ?? b.quantifier
    return result
  }

  private func subquery(
    _ path: PathSyntax, _ variable: String, _ predicate: PredicateSyntax,
    _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundSide {
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
    let condition = try entering(classID, as: variable).condition(predicate)
    return BoundSide(
      Operand(kind: .subquery(bound, condition), isCollection: false), .int, syntax)
  }
}

extension ElementType {
  /// The type of what arithmetic makes of two operands; any where only their values tell.
  fileprivate init(ofArithmeticOn a: ElementType?, _ b: ElementType?) {
    if a == .any || b == .any {
      self = .any
    } else if a == .decimal || b == .decimal {
      self = .decimal
    } else {
      self = a == .int && b == .int ? .int : .double
    }
  }
}

extension ExpressionSyntax {
  fileprivate var unquantified: ExpressionSyntax { ExpressionSyntax(kind, span) }
}
