import HeraldModel
import TestSupport

// Random queries.

extension ModelSchema {
  func randomQuery(_ random: inout SplitMix64) -> ModelQuery {
    randomQuery(of: random.pick(declaredClasses), &random)
  }

  func randomQuery(of type: Int, _ random: inout SplitMix64) -> ModelQuery {
    var query = ModelQuery(type: type)
    if random.chance(60) { query.predicate = randomPredicate(type, &random) }
    guard random.chance(60) else { return query }
    for _ in 0..<(1 + random.below(3)) {
      if let stage = randomStage(type, &random) { query.stages.append(stage) }
    }
    return query
  }

  /// One of many queries that differ in an interval, some of them sorted; nil without an integer.
  func randomInterval(_ random: inout SplitMix64) -> ModelQuery? {
    let type = random.below(classes.count)
    let own = classes[type].plain
    guard let number = own.first(where: { classes[type].properties[$0].element == .int }) else {
      return nil
    }
    let low = random.below(6)
    let high = random.chance(50) ? low : low + random.below(3)
    var query = ModelQuery(type: type)
    let path = ModelPath([number], from: type, self)
    query.predicate = .between(ModelOperand(.path(path)), .int(low), .int(high))
    if random.oneIn(3) {
      let key = ModelPath([random.pick(own)], from: type, self)
      query.stages = [.sort([(key, random.chance(50))])]
    }
    return query
  }

  /// A query that the names of a projection say.
  func randomQuery(of projection: Projection, _ random: inout SplitMix64) -> ModelQuery {
    var query = ModelQuery(type: projection.type)
    let keys = projection.fields.map(\.path).filter { path in
      isSingle(path, from: projection.type)
        && !property(at: path, from: projection.type).mayLink
    }
    if let key = keys.randomElement(using: &random), random.chance(50) {
      let value = property(at: key, from: projection.type).randomValue(&random)
      query.predicate = .compare(
        ModelOperand(.path(ModelPath(key, from: projection.type, self))),
        random.pick(ModelRelation.equalities), ModelOperand(.constant(value)))
    }
    if let key = keys.randomElement(using: &random), random.chance(40) {
      let path = ModelPath(key, from: projection.type, self)
      query.stages.append(
        random.chance(75) ? .sort([(path, random.chance(60))]) : .distinct([path]))
    }
    if random.chance(30) {
      query.stages.append(random.chance(60) ? .limit(random.below(9)) : .offset(random.below(5)))
    }
    return query
  }

  private func randomStage(_ type: Int, _ random: inout SplitMix64) -> ModelQuery.Stage? {
    switch random.below(10) {
    case 0..<5:
      let keys = (0...random.below(3)).compactMap { _ in randomKey(type, &random) }
      return keys.isEmpty ? nil : .sort(keys.map { ($0, random.chance(60)) })
    case 5..<7: return random.chance(60) ? .limit(random.below(9)) : .offset(random.below(5))
    case 7 where hasQueriesOfRows:
      return randomPredicate(type, depth: 1, &random).map { .filter($0) }
    default:
      let keys = (0..<(1 + random.below(2))).compactMap { _ in randomKey(type, &random) }
      return keys.isEmpty ? nil : .distinct(keys)
    }
  }

  /// What rows are sorted by: at the end of a chain of single links a plain value, or one of a map.
  private func randomKey(_ type: Int, _ random: inout SplitMix64) -> ModelPath? {
    var path = ModelPath(from: type)
    for _ in 0..<3 where random.chance(35) {
      guard let place = path.place,
        let link = classes[place].singleLinks.randomElement(using: &random)
      else { break }
      path.append(.property(link), self)
    }
    guard let place = path.place else { return nil }
    let properties = classes[place].properties
    let ends = properties.indices.filter { end in
      properties[end].target == nil
        && (properties[end].shape == .single || properties[end].shape == .map)
    }
    guard let end = ends.randomElement(using: &random) else { return nil }
    path.append(.property(end), self)
    if properties[end].shape == .map { path.append(randomMapKey(&random), self) }
    return path
  }

  private func randomMapKey(_ random: inout SplitMix64) -> ModelPath.Step {
    let key = "k\(random.below(4))"
    return random.chance(50) ? .key(key) : .keyName(key)
  }

  // MARK: - Predicates

  /// Nil where a class has nothing to compare.
  func randomPredicate(
    _ type: Int, depth: Int = 2, _ random: inout SplitMix64
  ) -> ModelPredicate? {
    guard depth > 0, random.chance(45) else {
      return random.chance(2) ? .always(random.chance(50)) : randomLeaf(type, depth, &random)
    }
    let count = 1 + random.below(3)
    let parts = (0..<count).compactMap { _ in randomPredicate(type, depth: depth - 1, &random) }
    guard parts.count > 1 else { return parts.first.map { .not($0) } }
    return random.chance(50) ? .and(parts) : .or(parts)
  }

  private func randomLeaf(
    _ type: Int, _ depth: Int, _ random: inout SplitMix64
  ) -> ModelPredicate? {
    if depth > 0, random.chance(4), let count = randomSubquery(type, depth - 1, &random) {
      return .compare(
        count, random.pick(ModelRelation.orders), ModelOperand(.constant(.int(random.below(3)))))
    }
    guard let path = randomPath(from: type, &random),
      let kind = path.kind(&random)
    else { return nil }
    var operand = ModelOperand(.path(path))
    if path.isMany { operand.quantifier = randomQuantifier(&random) }
    if case .link(let target) = kind { return randomLinkTest(operand, path, target, type, &random) }
    let foldsCase = kind == .text && random.chance(25)
    switch random.below(14) {
    case 0 where kind.isOrdered:
      if path.isMany { operand.quantifier = .all }
      return .between(operand, constant(kind, path, &random), constant(kind, path, &random))
    case 1, 2:
      let list = (0..<random.below(4)).map { _ in constant(kind, path, &random) }
      return .compare(operand, .isIn, ModelOperand(.list(list)), foldsCase: foldsCase)
    case 3, 4, 5:
      guard kind == .text else { break }
      let relation = random.pick(ModelRelation.searches)
      let pattern =
        relation == .like
        ? .string(random.pick(["a*", "?", "*b", "?b*", "", "*", "é?"]))
        : relation == .matches
          ? .string(random.pick(["a.*", ".", ".*b", "(a|b)+", "", ".*", "é?.", "[a-c]*"]))
          : constant(kind, path, &random)
      return .compare(operand, relation, ModelOperand(.constant(pattern)), foldsCase: foldsCase)
    case 6:
      let list = (0..<random.below(3)).map { _ in constant(kind, path, &random) }
      let right = ModelOperand(.list(list), random.pick(ModelOperand.Quantifier.allCases))
      return .compare(operand, kind.relation(&random), right)
    case 7:
      guard let other = randomPath(from: type, &random), other.kind(&random) == kind else { break }
      return .compare(
        operand, kind.relation(&random), ModelOperand(.path(other)), foldsCase: foldsCase)
    case 8 where kind == .number && !path.isMany && path.property?.element != .any:
      let sum = ModelOperand.Expression.arithmetic(
        path, random.pick(ModelOperand.Arithmetic.allCases), 1 + random.below(3))
      return .compare(
        ModelOperand(sum), kind.relation(&random), constantOperand(kind, path, &random))
    case 9, 10:
      guard kind == .number, !path.isMany, let extent = randomExtent(&random) else { break }
      return .compare(operand, kind.relation(&random), ModelOperand(extent))
    case _: break
    }
    let right = constantOperand(kind, path, &random)
    if !path.isMany, random.chance(15) { return .compare(right, kind.relation(&random), operand) }
    return .compare(operand, kind.relation(&random), right, foldsCase: foldsCase)
  }

  /// What is the same for every row.
  private func randomExtent(_ random: inout SplitMix64) -> ModelOperand.Expression? {
    guard let type = independent.filter(declaredClasses.contains).randomElement(using: &random)
    else { return nil }
    let numbers = classes[type].plain.filter { classes[type].properties[$0].element == .int }
    guard let number = numbers.randomElement(using: &random), random.chance(60) else {
      return .extent(of: type, .count, nil)
    }
    return .extent(of: type, random.pick([.min, .max]), number)
  }

  private func randomQuantifier(_ random: inout SplitMix64) -> ModelOperand.Quantifier? {
    random.chance(40) ? nil : random.pick(ModelOperand.Quantifier.allCases)
  }

  private func randomSubquery(
    _ type: Int, _ depth: Int, _ random: inout SplitMix64
  ) -> ModelOperand? {
    guard
      let list = classes[type].links.filter({ classes[type].properties[$0].isCollection })
        .randomElement(using: &random), let target = classes[type].properties[list].target,
      let predicate = randomPredicate(target, depth: depth, &random)
    else { return nil }
    let path = ModelPath([list], from: type, self)
    return ModelOperand(.subquery(path, of: target, predicate))
  }

  /// Objects are compared with nil, with variables and with each other.
  private func randomLinkTest(
    _ operand: ModelOperand, _ path: ModelPath, _ target: Int, _ type: Int,
    _ random: inout SplitMix64
  ) -> ModelPredicate? {
    let relation = random.pick(ModelRelation.equalities)
    let known = variables.filter { place(of: $0.value) == target }
    if let variable = known.randomElement(using: &random), random.chance(60) {
      return .compare(operand, relation, ModelOperand(.variable(variable.name, variable.value)))
    }
    if random.chance(30), let other = randomPath(from: type, &random),
      other.kind(&random) == .link(target), !other.endsInList || !path.endsInList
    {
      return .compare(operand, relation, ModelOperand(.path(other)))
    }
    return path.isMany
      ? nil : .compare(operand, relation, ModelOperand(.constant(.null)))
  }

  private func place(of value: Value) -> Int? {
    if case .link(let id) = value { place(of: id.classID) } else { nil }
  }

  // MARK: - Paths

  /// A path over links to what can be compared, or to how many there are.
  private func randomPath(from type: Int, _ random: inout SplitMix64) -> ModelPath? {
    var path = ModelPath(from: type)
    for _ in 0..<3 where random.chance(35) {
      guard let place = path.place else { break }
      let known = random.chance(60) ? classes[place].singleLinks : classes[place].links
      guard let link = known.randomElement(using: &random) else { break }
      let property = classes[place].properties[link]
      let isNamed = property.shape != .backlinks || path.isMany || random.chance(50)
      path.append(isNamed ? .property(link) : .links(link), self)
      if property.isCollection, random.chance(40) { finish(&path, property, &random) }
    }
    guard let place = path.place else { return path }
    let properties = classes[place].properties
    let ends = properties.indices.filter { end in
      properties[end].shape != .dropped
        && (properties[end].target == nil || !properties[end].isCollection && random.chance(20))
    }
    guard let end = ends.randomElement(using: &random) else { return nil }
    path.append(.property(end), self)
    if properties[end].isCollection, random.chance(60) {
      finish(&path, properties[end], &random)
    } else if properties[end].element == .any, random.chance(20) {
      path.append(.type, self)
    }
    return path
  }

  /// What is made of a collection: one of its elements, how many there are, or what they sum up to.
  private func finish(
    _ path: inout ModelPath, _ property: Property, _ random: inout SplitMix64
  ) {
    let numbers = property.target.map { target in
      classes[target].plain.filter { classes[target].properties[$0].element.isNumber }
    }
    switch random.below(8) {
    case 0, 1: path.append(.aggregate(.count, nil), self)
    case 2, 3:
      if let number = numbers?.randomElement(using: &random), let target = property.target {
        let element = classes[target].properties[number].element
        path.append(.aggregate(element.randomAggregate(&random), number), self)
      } else if property.target == nil, property.element.isNumber {
        path.append(.aggregate(property.element.randomAggregate(&random), nil), self)
      }
    case _:
      switch property.shape {
      case .list:
        let steps: [ModelPath.Step] = [.row(random.below(3)), .first, .last]
        let isSize = property.target == nil && random.chance(20)
        path.append(isSize ? .aggregate(.size, nil) : random.pick(steps), self)
      case .map:
        if property.target == nil, random.chance(40) {
          path.append(random.chance(50) ? .keys : .values, self)
        } else {
          path.append(randomMapKey(&random), self)
        }
      case .single, .set, .backlinks, .dropped: break
      }
    }
  }

  // MARK: - Constants

  private func constantOperand(
    _ kind: ModelPath.Kind, _ path: ModelPath, _ random: inout SplitMix64
  ) -> ModelOperand {
    if kind == .number, random.chance(10),
      let variable = variables.first(where: { $0.value.number != nil })
    {
      return ModelOperand(.variable(variable.name, variable.value))
    }
    return ModelOperand(.constant(constant(kind, path, &random)))
  }

  private func constant(
    _ kind: ModelPath.Kind, _ path: ModelPath, _ random: inout SplitMix64
  ) -> Value {
    if kind == .type {
      return .string(random.pick(["int", "double", "decimal", "string", "null"]))
    }
    if random.chance(6) { return .null }
    if case .keys? = path.steps.last { return .string("k\(random.below(4))") }
    var property = path.property ?? Property(name: "", element: .int)
    property.isOptional = false
    if path.isCounted || property.element == .any || !kind.includes(property.element) {
      switch kind {
      case .text: property = Property(name: "", element: .string)
      case _: property = Property(name: "", element: random.chance(60) ? .int : .double)
      }
    } else if kind == .number, property.range == nil, random.chance(25) {
      return .double(random.pick([0.1, 0.5, 1, 2.5, 4]))
    }
    // A float is typed as a double.
    let value = property.randomValue(&random)
    return if case .float(let number) = value { .double(Double("\(number)") ?? 0) } else { value }
  }
}

extension ModelPath {
  /// What is compared with what.
  fileprivate enum Kind: Equatable {
    case number, text, flag, date, data, uuid, objectID, type
    case link(Int)

    var isOrdered: Bool { self != .type && self != .flag }

    func includes(_ element: ClassDefinition.Property.Element) -> Bool {
      switch element {
      case .int, .float, .double, .decimal: self == .number
      case .string: self == .text
      case .bool: self == .flag
      case .date: self == .date
      case .data: self == .data
      case .uuid: self == .uuid
      case .objectID: self == .objectID
      case .any, .link: false
      }
    }

    func relation(_ random: inout SplitMix64) -> ModelRelation {
      switch self {
      case .type, .link: random.pick(ModelRelation.equalities)
      case .number, .text, .flag, .date, .data, .uuid, .objectID:
        random.chance(30) ? .equal : random.pick(ModelRelation.orders)
      }
    }
  }

  fileprivate var isCounted: Bool {
    if case .aggregate(let aggregate, _)? = steps.last { aggregate.isCount } else { false }
  }

  /// Of values of any type one that some of them may have.
  fileprivate func kind(_ random: inout SplitMix64) -> Kind? {
    switch steps.last {
    case .aggregate?: return .number
    case .keys?: return .text
    case .type?: return .type
    case _: break
    }
    if let place { return .link(place) }
    switch property?.element {
    case .any?: return random.chance(50) ? .number : .text
    case let element?:
      let kinds: [Kind] = [.number, .text, .flag, .date, .data, .uuid, .objectID]
      return kinds.first { $0.includes(element) }
    case nil: return nil
    }
  }
}

extension ClassDefinition.Property.Element {
  fileprivate var isNumber: Bool { self == .int || self == .float || self == .double }

  /// An average of integers may be of very large ones, whose sum depends on their order.
  fileprivate func randomAggregate(_ random: inout SplitMix64) -> ModelPath.Aggregate {
    random.pick(self == .int ? [.min, .max, .sum] : [.min, .max, .sum, .average])
  }
}
