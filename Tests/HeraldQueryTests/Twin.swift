import HeraldModel
import HeraldQuery

/// A second evaluator, obvious and slow: it walks the written tree for each object and knows neither
/// columns nor plans nor bound operands.
struct Twin {
  let store: ArrayStore
  let variables: [String: QueryOperand]

  private struct Frame {
    var object: ObjectID
    var bound: [String: ObjectID] = [:]
  }

  func rows(_ predicate: PredicateSyntax?, of classID: ClassID) -> [ObjectNumber] {
    store.numbers(of: classID).filter { number in
      predicate.map { holds($0, Frame(object: ObjectID(classID, number))) } ?? true
    }
  }

  private func holds(_ predicate: PredicateSyntax, _ frame: Frame) -> Bool {
    switch predicate.kind {
    case .constant(let value): return value
    case .not(let inner): return !holds(inner, frame)
    case .and(let parts): return parts.allSatisfy { holds($0, frame) }
    case .or(let parts): return parts.contains { holds($0, frame) }
    case .between(let value, let range):
      let bounds = values(range, frame).all.map { adapted($0, for: value, frame.object) }
      return values(value, frame).groups.contains { group in
        quantified(value.quantifier ?? .any, group) {
          compare($0, .greaterOrEqual, bounds[0], false)
            && compare($0, .lessOrEqual, bounds[1], false)
        }
      }
    case .comparison(let comparison): return holds(comparison, frame)
    }
  }

  private func holds(_ comparison: PredicateSyntax.Comparison, _ frame: Frame) -> Bool {
    let (left, right) = (values(comparison.left, frame), values(comparison.right, frame))
    let isPlain = comparison.left.quantifier == nil && comparison.right.quantifier == nil
    if comparison.relation.rawValue.first!.isLetter, comparison.relation != .like,
      comparison.left.isNil
    {
      return false
    }
    return left.groups.contains { leftGroup in
      let a = leftGroup.map { adapted($0, comparison.left, for: comparison.right, frame.object) }
      return right.groups.contains { rightGroup in
        let b = rightGroup.map {
          adapted($0, comparison.right, for: comparison.left, frame.object)
        }
        if left.isMany, right.isMany, isPlain {
          return inOrder(a, comparison.relation, b, comparison.foldsCase)
        }
        return quantified(comparison.left.quantifier ?? .any, a) { x in
          quantified(comparison.right.quantifier ?? .any, b) { y in
            compare(x, comparison.relation, y, comparison.foldsCase)
          }
        }
      }
    }
  }

  private func inOrder(_ a: [Value], _ relation: Relation, _ b: [Value], _ folds: Bool) -> Bool {
    if relation == .notEqual { return !inOrder(a, .equal, b, folds) }
    return a.count == b.count && zip(a, b).allSatisfy { compare($0, relation, $1, folds) }
  }

  private func quantified(
    _ quantifier: Quantifier, _ values: [Value], _ test: (Value) -> Bool
  ) -> Bool {
    switch quantifier {
    case .any: values.contains(where: test)
    case .all: values.allSatisfy(test)
    case .none: !values.contains(where: test)
    }
  }

  // MARK: Values

  /// The values of one list for each of many owners, or all of them together.
  private struct Values {
    var groups: [[Value]]
    var isMany: Bool
    var all: [Value] { groups.flatMap { $0 } }

    init(_ all: [Value], _ isMany: Bool) {
      groups = [all]
      self.isMany = isMany
    }
  }

  private func values(_ expression: ExpressionSyntax, _ frame: Frame) -> Values {
    switch expression.kind {
    case .literal(let value): return Values([value], false)
    case .list(let elements): return Values(elements.flatMap { values($0, frame).all }, true)
    case .path(let path): return walk(path, frame)
    case .arithmetic(let first, let terms):
      return terms.reduce(values(first, frame)) { a, term in
        let b = values(term.operand, frame)
        let results = a.all.flatMap { x in b.all.map { y in arithmetic(x, term.operation, y) } }
        return Values(results, a.isMany || b.isMany)
      }
    case .subquery(let path, let variable, let predicate):
      var inner = frame
      let count = walk(path, frame).all.count { value in
        guard case .link(let object) = value else { return false }
        inner.object = object
        inner.bound[variable] = object
        return holds(predicate, inner)
      }
      return Values([.int(count)], false)
    }
  }

  private func arithmetic(_ a: Value, _ operation: Arithmetic, _ b: Value) -> Value {
    if case .int(let x) = a, case .int(let y) = b {
      switch operation {
      case .plus: return .int(x + y)
      case .minus: return .int(x - y)
      case .times: return .int(x * y)
      case .divided: if y != 0 { return .int(x / y) }
      }
    }
    guard let x = double(a), let y = double(b) else { return .null }
    switch operation {
    case .plus: return .double(x + y)
    case .minus: return .double(x - y)
    case .times: return .double(x * y)
    case .divided: return .double(x / y)
    }
  }

  func double(_ value: Value) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value)
    default: nil
    }
  }

  /// What stands at a place on a path: the values of one object, or of many.
  private struct Place {
    var groups: [[Value]]
    var isMany = false
    /// Whether there were many objects before the last step.
    var wasMany = false
    /// The last step led to a collection.
    var endsInList = false
    var endsInMap = false
    var type: PropertyType?
    /// The keys of the maps that the last step led to, one by one for their values.
    var keys: [[String]] = []
    var values: [Value] { groups.flatMap { $0 } }
  }

  private func walk(_ path: PathSyntax, _ frame: Frame) -> Values {
    var place = start(path, frame)
    var steps = path.steps[...]
    while let step = steps.popFirst() {
      switch step.kind {
      case .name(let key) where place.endsInMap: choose(&place, key)
      case .name(let name): follow(name, &place)
      case .links(let className, let property): followBack(className, property, &place)
      case .index(let index): choose(&place) { index < $0.count ? $0[index] : nil }
      case .first: choose(&place) { $0.first }
      case .last: choose(&place) { $0.last }
      case .every, .values: break
      case .key(let key): choose(&place, key)
      case .variable(let name):
        switch variables[name] {
        case .value(.int(let index)): choose(&place) { index < $0.count ? $0[index] : nil }
        case .value(.string(let key)): choose(&place, key)
        case .value, .values, .objects, nil: return Values([], false)
        }
      case .keys: place.groups = place.keys.map { $0.map(Value.string) }
      case .type: return Values(place.values.map { .string(typeName($0)) }, place.isMany)
      case .allLinks: place = Place(groups: [])
      case .operation(let operation):
        // Objects count and add up together, values list by list.
        let isOfObjects = place.values.contains { if case .link = $0 { true } else { false } }
        let targetIsLink = isOfObjects || (place.type?.target != nil)
        if case .name(let name)? = steps.first?.kind {
          follow(name, &place)
          return Values([aggregate(operation, place.values)], false)
        }
        if place.endsInList, !targetIsLink, place.wasMany {
          return Values(place.groups.map { aggregate(operation, $0) }, true)
        }
        return Values([aggregate(operation, place.values)], false)
      }
    }
    var values = Values(place.values, place.isMany)
    if place.wasMany, place.type?.isCollection ?? false, place.type?.target == nil {
      values.groups = place.groups.isEmpty ? [[]] : place.groups
      values.isMany = true
    }
    return values
  }

  private func start(_ path: PathSyntax, _ frame: Frame) -> Place {
    switch path.start {
    case .root: return Place(groups: [[.link(frame.object)]])
    case .object: return Place(groups: [])
    case .variable(let name):
      if let object = frame.bound[name] { return Place(groups: [[.link(object)]]) }
      switch variables[name] {
      case .value(let value): return Place(groups: [[value]])
      case .values(let values): return Place(groups: [values], isMany: true, endsInList: true)
      case .objects(let classID, let numbers):
        return Place(
          groups: [numbers.map { .link(ObjectID(classID, $0)) }], isMany: true, endsInList: true)
      case nil: return Place(groups: [])
      }
    }
  }

  private func follow(_ name: String, _ place: inout Place) {
    var groups: [[Value]] = []
    place.keys = []
    for value in place.values {
      guard case .link(let object) = value else {
        groups.append([.null])
        continue
      }
      let property = store.schema.classSchema(object.classID)!.property(named: name)!
      place.type = property.type
      if property.type.shape == .map {
        place.keys.append(
          (0..<store.listCount(property.id, of: object)).map {
            store.mapKey(property.id, of: object, at: $0)
          })
      }
      if property.type.isCollection {
        var all: [Value] = []
        store.forEachElement(property.id, of: object) {
          all.append($0)
          return true
        }
        groups.append(all)
      } else {
        groups.append([store.value(property.id, of: object)])
      }
    }
    let isList = Twin.lists.contains(name)
    if isList { groups = zip(groups, place.values).filter { !$1.isNull }.map(\.0) }
    place.groups = groups
    place.wasMany = place.isMany
    place.isMany = place.isMany || isList
    place.endsInList = isList
    place.endsInMap = name == "marks"
  }

  /// The list properties of the random schemas, by name: known also where no object is.
  static let lists: Set<String> = [
    "toys", "tags", "scores", "dogs", "friends", "labels", "marks", "owned",
  ]

  private func followBack(_ className: String, _ name: String, _ place: inout Place) {
    let origin = store.schema.classSchema(named: className)!
    let property = origin.property(named: name)!
    place.groups = place.values.filter { !$0.isNull }.map { value in
      guard case .link(let target) = value else { return [] }
      return store.numbers(of: origin.id).flatMap { number in
        let links = store.linkCount(
          from: number, origin: origin.id, property: property.id, to: target)
        return [Value](repeating: .link(ObjectID(origin.id, number)), count: links)
      }
    }
    place.isMany = true
    place.endsInList = true
    place.type = PropertyType(.link(origin.id), shape: .list)
  }

  private func choose(_ place: inout Place, _ choice: ([Value]) -> Value?) {
    place.groups = place.groups.map { [choice($0) ?? .null] }
    place.isMany = place.wasMany
    if place.groups.isEmpty, !place.isMany { place.groups = [[.null]] }
    place.endsInList = false
  }

  /// The values of a key of maps.
  private func choose(_ place: inout Place, _ key: String) {
    let found = zip(place.groups, place.keys).map { values, keys -> [Value] in
      [keys.firstIndex(of: key).map { values[$0] } ?? .null]
    }
    place.groups = found.isEmpty && !place.wasMany ? [[.null]] : found
    place.isMany = place.wasMany
    place.endsInList = false
    place.endsInMap = false
  }

  private func typeName(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    default: "link"
    }
  }

  private func aggregate(_ operation: CollectionOperation, _ values: [Value]) -> Value {
    let present = values.filter { !$0.isNull }
    switch operation {
    case .count: return .int(values.count)
    case .min: return present.min { compare($0, .less, $1, false) } ?? .null
    case .max: return present.max { compare($0, .less, $1, false) } ?? .null
    case .sum:
      let isInt = present.allSatisfy { if case .int = $0 { true } else { false } }
      let sum = present.compactMap(double).reduce(0, +)
      return isInt ? .int(Int(sum)) : .double(sum)
    case .average:
      let sum = present.compactMap(double).reduce(0, +)
      return present.isEmpty ? .null : .double(sum / Double(present.count))
    }
  }

  // MARK: Comparing

  /// A literal that meets a float does so at float precision.
  private func adapted(
    _ value: Value, _ own: ExpressionSyntax? = nil, for other: ExpressionSyntax, _ object: ObjectID
  ) -> Value {
    if let own, !own.isConstant { return value }
    guard case .path(let path) = other.kind, case .name("weight")? = path.steps.last?.kind,
      let number = double(value)
    else { return value }
    if path.steps.contains(where: {
      if case .operation(let o) = $0.kind { o != .min && o != .max } else { false }
    }) {
      return value
    }
    return .float(Float(number))
  }

  private func compare(_ a: Value, _ relation: Relation, _ b: Value, _ folds: Bool) -> Bool {
    switch relation {
    case .equal: return isEqual(a, b, folds)
    case .notEqual: return !isEqual(a, b, folds)
    case .less: return isLess(a, b, folds)
    case .greater: return isLess(b, a, folds)
    case .lessOrEqual: return isLess(a, b, folds) || (isEqual(a, b, folds) && isOrdered(a))
    case .greaterOrEqual: return isLess(b, a, folds) || (isEqual(a, b, folds) && isOrdered(a))
    case .beginsWith, .endsWith, .contains, .like: return search(a, relation, b, folds)
    }
  }

  private func isOrdered(_ value: Value) -> Bool {
    switch value {
    case .null, .link: false
    default: true
    }
  }

  private func isEqual(_ a: Value, _ b: Value, _ folds: Bool) -> Bool {
    if let x = double(a), let y = double(b) { return x == y }
    if case .string(let x) = a, case .string(let y) = b {
      return (folds ? x.lowercased() : x).unicodeScalars.elementsEqual(
        (folds ? y.lowercased() : y).unicodeScalars)
    }
    return a == b
  }

  private func isLess(_ a: Value, _ b: Value, _ folds: Bool) -> Bool {
    if let x = double(a), let y = double(b) { return x < y }
    switch (a, b) {
    case (.string(let x), .string(let y)):
      return (folds ? x.lowercased() : x).unicodeScalars.lexicographicallyPrecedes(
        (folds ? y.lowercased() : y).unicodeScalars)
    case (.date(let x), .date(let y)): return x < y
    case (.bool(let x), .bool(let y)): return !x && y
    case (.data(let x), .data(let y)): return x.lexicographicallyPrecedes(y)
    default: return false
    }
  }

  private func search(_ a: Value, _ relation: Relation, _ b: Value, _ folds: Bool) -> Bool {
    guard case .string(var pattern) = b else { return relation == .like ? a.isNull : true }
    guard case .string(var text) = a else { return false }
    if folds { (pattern, text) = (pattern.lowercased(), text.lowercased()) }
    let (needle, hay) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
    switch relation {
    case .beginsWith: return hay.starts(with: needle)
    case .endsWith: return hay.reversed().starts(with: needle.reversed())
    case .contains:
      return (0...hay.count).contains { hay[$0...].starts(with: needle) }
    default: return like(hay[...], needle[...])
    }
  }

  private func like(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return like(text, rest) || (!text.isEmpty && like(text.dropFirst(), pattern))
    }
    return !text.isEmpty && (first == "?" || first == text.first) && like(text.dropFirst(), rest)
  }
}

extension ExpressionSyntax {
  fileprivate var isNil: Bool { if case .literal(.null) = kind { true } else { false } }

  /// Whether a literal or a list of them stands here.
  fileprivate var isConstant: Bool {
    switch kind {
    case .literal, .list: true
    case .path(let path): if case .variable = path.start { path.steps.isEmpty } else { false }
    case .arithmetic, .subquery: false
    }
  }
}
