import HeraldModel

/// A predicate as the model knows it: its text for the library, and its plain meaning.
indirect enum ModelPredicate {
  case always(Bool)
  case compare(ModelOperand, ModelRelation, ModelOperand, foldsCase: Bool = false)
  case between(ModelOperand, Value, Value)
  case and([ModelPredicate])
  case or([ModelPredicate])
  case not(ModelPredicate)
}

extension ModelPredicate {
  func matches(_ id: ObjectID, _ state: ModelStore) -> Bool {
    switch self {
    case .always(let value): value
    case .compare(let left, let relation, let right, let foldsCase):
      left.holds(relation, right, foldsCase, id, state)
    case .between(let operand, let low, let high):
      operand.values(of: id, state).groups.contains { group in
        (operand.quantifier ?? .any).holds(group) {
          ModelRelation.atLeast.holds($0, operand.adapted(low))
            && ModelRelation.atMost.holds($0, operand.adapted(high))
        }
      }
    case .and(let parts): parts.allSatisfy { $0.matches(id, state) }
    case .or(let parts): parts.contains { $0.matches(id, state) }
    case .not(let part): !part.matches(id, state)
    }
  }

  /// The predicate as it is typed; of an element of a SUBQUERY, `prefix` stands before each path.
  func text(_ schema: ModelSchema, _ type: Int, _ prefix: String = "") -> String {
    switch self {
    case .always(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .compare(let left, let relation, let right, let foldsCase):
      return left.text(schema, type, prefix) + " \(relation.rawValue)\(foldsCase ? "[c] " : " ")"
        + right.text(schema, type, prefix)
    case .between(let operand, let low, let high):
      return operand.text(schema, type, prefix) + " BETWEEN {\(low.literal), \(high.literal)}"
    case .and(let parts):
      return joined(parts, ["AND", "&&", "and"], schema, type, prefix) {
        if case .or = $0 { true } else { false }
      }
    case .or(let parts):
      return joined(parts, ["OR", "||", "or"], schema, type, prefix) { _ in false }
    case .not(let part):
      let text = part.text(schema, type, prefix)
      if case .compare = part, text.utf8.count.isMultiple(of: 2) { return "! \(text)" }
      return "NOT (\(text))"
    }
  }

  /// AND binds before OR; one of three spellings, by the length of the first part.
  private func joined(
    _ parts: [ModelPredicate], _ words: [String], _ schema: ModelSchema, _ type: Int,
    _ prefix: String, isLoose: (ModelPredicate) -> Bool
  ) -> String {
    let texts = parts.map { part in
      let text = part.text(schema, type, prefix)
      return isLoose(part) ? "(\(text))" : text
    }
    return texts.joined(separator: " \(words[texts[0].utf8.count % words.count]) ")
  }
}

/// A side of a comparison.
struct ModelOperand {
  enum Quantifier: String, CaseIterable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"

    func holds(_ values: [Value], _ test: (Value) -> Bool) -> Bool {
      switch self {
      case .any: values.contains(where: test)
      case .all: values.allSatisfy(test)
      case .none: !values.contains(where: test)
      }
    }
  }

  indirect enum Expression {
    case constant(Value)
    case variable(String, Value)
    case list([Value])
    case path(ModelPath)
    case arithmetic(ModelPath, Arithmetic, Int)
    /// How many of the objects at the end of a path, of a class, match.
    case subquery(ModelPath, of: Int, ModelPredicate)
    /// How many objects a class has, or the smallest or largest value of a property of theirs.
    case extent(of: Int, ModelPath.Aggregate, Int?)
  }

  enum Arithmetic: String, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
  }

  let expression: Expression
  var quantifier: Quantifier?

  init(_ expression: Expression, _ quantifier: Quantifier? = nil) {
    (self.expression, self.quantifier) = (expression, quantifier)
  }
}

extension ModelOperand {
  func values(of id: ObjectID, _ state: ModelStore) -> ModelValues {
    switch expression {
    case .constant(let value), .variable(_, let value): return ModelValues([value], isMany: false)
    case .list(let values): return ModelValues(values, isMany: true)
    case .path(let path): return path.values(of: id, state)
    case .arithmetic(let path, let operation, let number):
      var values = path.values(of: id, state)
      values.groups = values.groups.map { $0.map { operation.result($0, number) } }
      return values
    case .subquery(let path, _, let predicate):
      let count = path.values(of: id, state).all.count { value in
        if case .link(let element) = value { predicate.matches(element, state) } else { false }
      }
      return ModelValues([.int(count)], isMany: false)
    case .extent(let type, let aggregate, let property):
      let values = state.objects[type].map { object in
        property.map { object.contents[$0].value } ?? .link(object.id)
      }
      let found = property.map { state.schema.classes[type].properties[$0] }
      return ModelValues([aggregate.value(of: values, found)], isMany: false)
    }
  }

  fileprivate func holds(
    _ relation: ModelRelation, _ right: ModelOperand, _ foldsCase: Bool, _ id: ObjectID,
    _ state: ModelStore
  ) -> Bool {
    let (a, b) = (values(of: id, state), right.values(of: id, state))
    let isPlain = quantifier == nil && right.quantifier == nil
    let isInOrder = a.isMany && b.isMany && isPlain
    return a.groups.contains { group in
      let group = isConstant ? group.map(right.adapted) : group
      return b.groups.contains { other in
        let other = right.isConstant ? other.map(adapted) : other
        if isInOrder { return Self.holdsInOrder(group, relation, other, foldsCase) }
        return (quantifier ?? .any).holds(group) { x in
          (right.quantifier ?? .any).holds(other) { y in
            relation.holds(x, y, foldsCase: foldsCase)
          }
        }
      }
    }
  }

  private static func holdsInOrder(
    _ a: [Value], _ relation: ModelRelation, _ b: [Value], _ foldsCase: Bool
  ) -> Bool {
    if relation == .unequal { return !holdsInOrder(a, .equal, b, foldsCase) }
    return a.count == b.count
      && zip(a, b).allSatisfy { relation.holds($0, $1, foldsCase: foldsCase) }
  }

  private var isConstant: Bool {
    switch expression {
    case .constant, .variable, .list: true
    case .path, .arithmetic, .subquery, .extent: false
    }
  }

  /// A constant that meets this: a float is met at float precision.
  fileprivate func adapted(_ constant: Value) -> Value {
    guard case .path(let path) = expression, path.isFloat, let number = constant.number else {
      return constant
    }
    return .float(Float(number))
  }

  fileprivate func text(_ schema: ModelSchema, _ type: Int, _ prefix: String) -> String {
    let text =
      switch expression {
      case .constant(let value): value.literal
      case .variable(let name, _): "$\(name)"
      case .list(let values): "{\(values.map(\.literal).joined(separator: ", "))}"
      case .path(let path): path.text(schema, from: type, prefix)
      case .arithmetic(let path, let operation, let number):
        "\(path.text(schema, from: type, prefix)) \(operation.rawValue) \(number)"
      case .subquery(let path, let element, let predicate):
        "SUBQUERY(\(path.text(schema, from: type, prefix)), \(Self.variable(prefix)), "
          + predicate.text(schema, element, Self.variable(prefix) + ".") + ").@count"
      case .extent(let type, let aggregate, let property):
        "(\(schema.classes[type].name)).@\(aggregate.rawValue)"
          + (property.map { ".\(schema.classes[type].properties[$0].name)" } ?? "")
      }
    return (quantifier.map { $0.rawValue + " " } ?? "") + text
  }
}

extension ModelOperand {
  /// The variable of a SUBQUERY inside another.
  private static func variable(_ prefix: String) -> String {
    prefix.isEmpty ? "$t" : prefix.dropLast() + "t"
  }
}

extension ModelOperand.Arithmetic {
  /// Integers stay integers, division truncates, and overflow is nil.
  fileprivate func result(_ value: Value, _ number: Int) -> Value {
    if case .int(let integer) = value {
      let (result, overflow) =
        switch self {
        case .plus: integer.addingReportingOverflow(number)
        case .minus: integer.subtractingReportingOverflow(number)
        case .times: integer.multipliedReportingOverflow(by: number)
        case .divided: integer.dividedReportingOverflow(by: number)
        case .remainder: integer.remainderReportingOverflow(dividingBy: number)
        }
      return overflow ? .null : .int(result)
    }
    guard let found = value.number else { return .null }
    return switch self {
    case .plus: .double(found + Double(number))
    case .minus: .double(found - Double(number))
    case .times: .double(found * Double(number))
    case .divided: .double(found / Double(number))
    case .remainder: .double(found.truncatingRemainder(dividingBy: Double(number)))
    }
  }
}
