import HeraldModel

extension Binder {
  func call(_ call: CallSyntax, _ syntax: ExpressionSyntax) throws(QueryError) -> BoundOperand {
    var sides: [BoundOperand] = []
    for argument in call.arguments { sides.append(try side(argument)) }
    let function = try function(call, sides)
    for (index, side) in sides.enumerated() {
      if index > 0, side.isCollection {
        throw QueryError(.expected("a single value", found: "'\(side.text)'"), side.span)
      }
      guard let element = side.element, !function.accepts(element, at: index) else { continue }
      throw QueryError(
        .aggregateNeeds(
          call.function.text, function.need(at: index), operand: side.text,
          type: schema.name(of: element)), side.span)
    }
    let (first, rest) = (sides[0], sides.dropFirst())
    let element = function.element(of: first.element)
    if let constant = first.constant, rest.allSatisfy({ $0.constant != nil }) {
      let others = rest.compactMap(\.constant)
      let value = function.apply(to: constant, others)
      let hasNil = constant.isNull || others.contains(where: \.isNull)
      let fault = value.isNull && !hasNil && isOfValue ? function.fault(of: constant) : nil
      if let fault, levels.isEmpty { throw fault.error(in: syntax.description, syntax.span) }
      // The error is one of the row.
      if fault == nil { return BoundOperand(.constant(value), element, syntax) }
    }
    var result = BoundOperand(
      Operand(
        kind: .call(function, first.operand, rest.map(\.operand)), isCollection: first.isCollection),
      element, syntax)
    result.isDynamic = true
    result.quantifier = first.quantifier
    return result
  }

  private func function(
    _ call: CallSyntax, _ sides: [BoundOperand]
  ) throws(QueryError) -> ValueFunction {
    let name = call.function
    if let function = call.ofProgram { return .program(function) }
    if call.isSuffix, sides.count == 1 {
      if let measure = ValueMeasure(name.text, of: sides[0].element) { return .measure(measure) }
      let type = sides[0].element.map { schema.name(of: $0) } ?? "nil"
      let nearest = ValueMeasure.nearestName(to: name.text, of: sides[0].element)
      throw QueryError(
        .pathThroughValue(sides[0].text, type: type, next: name.text, nearest: nearest), name.span)
    }
    let known = call.isSuffix ? ValueFunction.suffixes : ValueFunction.named
    guard let function = known[name.text] else {
      throw QueryError(.unknownFunction(name.text), name.span)
    }
    guard function.argumentCounts.contains(sides.count) else {
      let counts = function.argumentCounts
      throw QueryError(
        .argumentCount(
          name.text, least: counts.lowerBound - (call.isSuffix ? 1 : 0),
          most: counts.upperBound - (call.isSuffix ? 1 : 0)), name.span)
    }
    guard case .date = function, sides.count == 2 else { return function }
    let form = sides[1]
    guard case .string(let text)? = form.constant else {
      throw QueryError(.expected("the form of dates in quotes", found: "'\(form.text)'"), form.span)
    }
    do throws(DatePattern.Invalid) {
      return .date(try DatePattern(text))
    } catch {
      throw QueryError(message: error.reason, span: form.span)
    }
  }

  func fallback(
    _ first: ExpressionSyntax, _ other: ExpressionSyntax, _ syntax: ExpressionSyntax
  ) throws(QueryError) -> BoundOperand {
    var lenient = self
    lenient.allowsMissing = true
    let (left, right) = (try lenient.side(first), try side(other))
    for side in [left, right] where side.isCollection {
      throw QueryError(.expected("a single value", found: "'\(side.text)'"), side.span)
    }
    if let constant = left.constant {
      let chosen = constant.isNull ? right : left
      return BoundOperand(chosen.operand, chosen.element, syntax)
    }
    let isMixed = left.element != nil && right.element != nil && left.element != right.element
    var result = BoundOperand(
      Operand(kind: .fallback(left.operand, right.operand), isCollection: false),
      isMixed ? .any : left.element ?? right.element, syntax)
    result.isDynamic = true
    return result
  }
}

// MARK: Objects by keys

extension Binder {
  /// Binds the object of a class with a key, the start of a path.
  func start(
    _ className: String, key syntax: ExpressionSyntax, _ path: PathSyntax
  ) throws(QueryError) -> PathBinding {
    if let key = syntax.literal, !key.isNull, !allowsMissing || resolved != nil {
      let object = try object(className, key: key, path.startSpan)
      return PathBinding(.objects([object]), .link(object.classID), path, isCollection: false)
    }
    let classSchema = try classSchema(named: className, path.startSpan)
    let key = try side(syntax)
    var keyed = KeyedObject(
      classID: classSchema.id, className: className, property: classSchema.primaryKey,
      key: key.operand)
    let type = keyed.property?.type.element ?? .int
    if key.isCollection || key.element.map({ !$0.isComparable(with: type) }) ?? false {
      throw QueryError(
        .aggregateNeeds(
          "the key of '\(className)'", schema.name(of: type), operand: key.text,
          type: key.element.map { schema.name(of: $0) } ?? "nil"), key.span)
    }
    if let value = key.constant, resolved == nil {
      let value = keyed.normalized(value)
      if !value.isNull, let object = try found(className, key: value, path.startSpan) {
        return PathBinding(.objects([object]), .link(object.classID), path, isCollection: false)
      }
      keyed.key = .constant(value)
      if reader != nil { notes.note(missing: keyed) }
      // What was found once may be missing later.
      if !value.isNull, !allowsMissing, !notes.isAgain {
        throw QueryError(
          .model(.noSuchObject("\(className)#\(value.literalText)")), path.startSpan)
      }
    }
    return PathBinding(.keyed(keyed), .link(classSchema.id), path, isCollection: false)
  }

  /// Notes what each row reads of the object that it finds by a key.
  func noteKeyed(_ side: BoundOperand, _ walk: PathBinding, since first: Int) {
    guard walk.path.isKeyed else { return }
    notes.hasValuesOfStore = true
    if reader != nil { notes.note(side.operand, outer: levels.count, since: first) }
  }
}

extension OperandPath {
  /// Whether each row finds where it begins by a key of its own.
  var isKeyed: Bool {
    if case .keyed = start { !isFixed } else { false }
  }
}
