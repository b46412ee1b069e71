import Herald
import TestSupport

/// Makes random queries over a `PlanWorld`.
struct PlanQueryGenerator {
  let world: PlanWorld
  let type: PlanQuery.Class
  var random: SplitMix64

  mutating func query(depth: Int = 0) -> PlanQuery {
    guard depth < 3, random.chance(45) else { return leaf() }
    return switch random.below(7) {
    case 0, 1, 2: .both(query(depth: depth + 1), query(depth: depth + 1))
    case 3, 4, 5: .either(query(depth: depth + 1), query(depth: depth + 1))
    default: .not(query(depth: depth + 1))
    }
  }

  private mutating func leaf() -> PlanQuery {
    if random.chance(8) {
      return .key(
        random.pick(PlanQuery.Sign.allCases), random.below(2 * world.rows.count + 2) - 1)
    }
    let (path, property) = pathAndProperty()
    let isText = if case .string = property.element { true } else { false }
    if isText, random.chance(25) {
      return .begins(path, random.pick(["", "a", "ab1", "a long beginning 1", "é", "\u{65}"]))
    }
    switch random.below(10) {
    case 0: return .among(path, (0..<random.below(4)).map { _ in value(property) })
    case 1 where isOrdered(property):
      return .between(path, some(property), some(property))
    default:
      let value = value(property)
      let signs: [PlanQuery.Sign] =
        value.isNull || !isOrdered(property)
        ? [.equal, .unequal] : PlanQuery.Sign.allCases + [.equal, .equal]
      return .compare(path, random.pick(signs), value)
    }
  }

  private func isOrdered(_ property: PlanWorld.Property) -> Bool {
    if case .bool = property.element { false } else { true }
  }

  private mutating func pathAndProperty() -> (PlanQuery.Path, PlanWorld.Property) {
    let place = random.below(world.rowProperties.count)
    let (own, others) = (world.rowProperties[place], world.ownerProperties[place])
    switch (type, random.below(10)) {
    case (.row, 0..<6): return (.own(place), own)
    case (.row, 6), (.row, 7): return (.owner(place), others)
    case (.row, 8): return (.pals(place), own)
    case (.row, _): return (.palsOwner(place), others)
    case (.owner, 0..<6): return (.own(place), others)
    case (.owner, _): return (.rows(place), own)
    }
  }

  private mutating func value(_ property: PlanWorld.Property) -> Value {
    random.chance(8) ? .null : some(property)
  }

  private mutating func some(_ property: PlanWorld.Property) -> Value {
    let limit = property.isClustered ? max(2, world.rows.count / 40 + 2) : 13
    return PlanWorld.value(property.element, random.below(limit), &random)
  }
}
