import HeraldModel

/// Chooses how the objects of a class are found that a condition holds for.
///
/// Costs are in nanoseconds, roughly: a comparison of a number in a block is one. An access that
/// would give more objects than could be scanned for the same cost is no candidate, so that an index
/// is never read to its end only to learn that it is of no use.
struct Planner {
  let classID: ClassID
  let reader: any ObjectReader
  let objectCount: Int

  /// What one object costs that an index or a link gives.
  private static let costOfCandidate = 40
  /// So few candidates are worth looking for in the smallest class.
  private static let fewCandidates = 64

  init(_ classID: ClassID, _ reader: any ObjectReader) {
    self.classID = classID
    self.reader = reader
    objectCount = reader.objectCount(of: classID)
  }

  func access(for condition: Condition) -> Candidates {
    switch condition {
    case .constant(false): return Candidates(access: .nothing, condition: condition, count: 0)
    case .constant(true):
      return Candidates(access: .everything, condition: condition, count: objectCount)
    case .all, .any, .not, .column, .values, .pair, .function:
      let scan = Candidates(access: .scan, condition: condition, count: objectCount)
      let cost = objectCount * condition.scanCost
      let limit = max(Self.fewCandidates, cost / Self.costOfCandidate)
      return candidates(condition, limit: min(limit, max(objectCount, 1))) ?? scan
    }
  }

  /// The access of a condition that gives at most `limit` objects; nil where there is none.
  private func candidates(_ condition: Condition, limit: Int) -> Candidates? {
    switch condition {
    case .column, .values:
      return indexed(condition, limit: limit) ?? linked(condition, limit: limit)
    case .all(let parts):
      var best: Candidates?
      for part in parts {
        // Nothing is gained by a second look where one or two objects are left.
        if let best, best.count <= 2 { break }
        guard let found = candidates(part, limit: best?.count ?? limit) else { continue }
        if found.count < best?.count ?? .max { best = found }
      }
      guard let best else { return nil }
      return Candidates(
        access: best.access.asPart, condition: best.condition, count: best.count)
    case .any(let parts):
      var total = 0
      var accesses: [Access] = []
      for part in parts {
        guard let found = candidates(part, limit: limit - total) else { return nil }
        total += found.count
        accesses.append(found.access)
      }
      return Candidates(access: .union(accesses), condition: condition, count: total)
    case .constant(false):
      return Candidates(access: .nothing, condition: condition, count: 0)
    case .constant(true), .not, .pair, .function: return nil
    }
  }

  private func indexed(_ condition: Condition, limit: Int) -> Candidates? {
    guard let lookup = condition.lookup(of: classID, in: reader.schema) else { return nil }
    if lookup.ranges.isEmpty {
      return Candidates(access: .nothing, condition: condition, count: 0)
    }
    var total = 0
    for range in lookup.ranges {
      guard
        let count = reader.indexedCount(
          lookup.property, of: classID, in: range, limit: limit - total)
      else { return nil }
      total += count
      if total > limit { return nil }
    }
    return Candidates(access: .index(lookup), condition: condition, count: total)
  }

  // MARK: Links

  private func linked(_ condition: Condition, limit: Int) -> Candidates? {
    guard let step = condition.linkStep(in: reader.schema) else { return nil }
    let links: (access: LinkAccess, count: Int)?
    switch step.goal {
    case .objects(let numbers):
      links = self.links(step, targets: numbers, inner: nil, limit: limit)
    case .condition(let inner):
      let query = BoundQuery(
        classID: step.targetClass, predicate: BoundPredicate(inner, root: step.targetClass))
      let plan = QueryPlan(query, reader)
      guard plan.cost <= limit * Self.costOfCandidate else { return nil }
      links = self.links(step, targets: plan.rows(reader), inner: query, limit: limit)
    }
    return links.map {
      Candidates(access: .links($0.access), condition: condition, count: $0.count)
    }
  }

  private func links(
    _ step: LinkStep, targets: [ObjectNumber], inner: BoundQuery?, limit: Int
  ) -> (access: LinkAccess, count: Int)? {
    guard targets.count <= limit else { return nil }
    let links = LinkAccess(
      way: step.way, targetClass: step.targetClass, targets: targets, inner: inner,
      isExact: step.isExact)
    var total = targets.count
    if case .back(let property) = step.way {
      total = 0
      for target in targets where total <= limit {
        let object = ObjectID(step.targetClass, target)
        reader.forEachOrigin(of: object, origin: classID, property: property) { _, _ in
          total += 1
          return total <= limit
        }
      }
    }
    return total <= limit ? (links, total) : nil
  }
}

extension Condition {
  /// What a scan costs for each object: its cheapest part leaves few for the others.
  var scanCost: Int {
    switch self {
    case .all(let parts): parts.map(\.scanCost).min() ?? 1
    case .constant, .column, .values, .any, .not, .pair, .function: max(1, cost)
    }
  }
}

extension Access {
  /// The access where other conditions must hold too.
  fileprivate var asPart: Access {
    switch self {
    case .nothing, .everything, .scan: self
    case .index(let lookup):
      .index(IndexLookup(property: lookup.property, ranges: lookup.ranges, isExact: false))
    case .union(let parts): .union(parts.map(\.asPart))
    case .links(let links):
      .links(
        LinkAccess(
          way: links.way, targetClass: links.targetClass, targets: links.targets,
          inner: links.inner, isExact: false))
    }
  }
}
