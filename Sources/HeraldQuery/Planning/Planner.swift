import HeraldModel

/// Chooses the access path to the objects of a class that match a condition.
///
/// Costs are in nanoseconds, roughly: comparing a number in a block costs one. An access that returns
/// more objects than a scan could test for the same cost is rejected while its objects are counted, so
/// that a useless index is never read to the end.
struct Planner {
  let classID: ClassID
  let reader: any ObjectReader
  let objectCount: Int

  /// The cost of one object found by an index or a link.
  private static let costOfCandidate = 40
  /// Up to this number of candidates, an index is worthwhile even in the smallest class.
  private static let fewCandidates = 64

  init(_ classID: ClassID, _ reader: any ObjectReader) {
    self.classID = classID
    self.reader = reader
    objectCount = reader.objectCount(of: classID)
  }

  func access(for condition: Condition) -> CandidateObjects {
    switch condition {
    case .constant(false): return CandidateObjects(access: .nothing, condition: condition, count: 0)
    case .constant(true):
      return CandidateObjects(access: .everything, condition: condition, count: objectCount)
    case .all, .any, .not, .column, .values, .pair, .function:
      let scan = CandidateObjects(access: .scan, condition: condition, count: objectCount)
      let cost = objectCount * condition.scanCost
      let limit = max(Self.fewCandidates, cost / Self.costOfCandidate)
      return candidates(condition, limit: min(limit, max(objectCount, 1))) ?? scan
    }
  }

  /// Returns an access for a condition that returns at most `limit` objects; nil if there is none.
  private func candidates(_ condition: Condition, limit: Int) -> CandidateObjects? {
    switch condition {
    case .column, .values:
      return indexed(condition, limit: limit) ?? linked(condition, limit: limit)
    case .all(let parts):
      var best: CandidateObjects?
      for part in parts {
        // With one or two objects left, a better access gains nothing.
        if let best, best.count <= 2 { break }
        guard let found = candidates(part, limit: best?.count ?? limit) else { continue }
        if found.count < best?.count ?? .max { best = found }
      }
      guard let best else { return nil }
      return CandidateObjects(
        access: best.access.asInexact, condition: best.condition, count: best.count)
    case .any(let parts):
      var total = 0
      var accesses: [Access] = []
      for part in parts {
        guard let found = candidates(part, limit: limit - total) else { return nil }
        total += found.count
        accesses.append(found.access)
      }
      return CandidateObjects(access: .union(accesses), condition: condition, count: total)
    case .constant(false):
      return CandidateObjects(access: .nothing, condition: condition, count: 0)
    case .constant(true), .not, .pair, .function: return nil
    }
  }

  private func indexed(_ condition: Condition, limit: Int) -> CandidateObjects? {
    guard let lookup = condition.lookup(of: classID, in: reader.schema) else { return nil }
    if lookup.ranges.isEmpty {
      return CandidateObjects(access: .nothing, condition: condition, count: 0)
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
    return CandidateObjects(access: .index(lookup), condition: condition, count: total)
  }

  // MARK: Links

  private func linked(_ condition: Condition, limit: Int) -> CandidateObjects? {
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
      CandidateObjects(access: .links($0.access), condition: condition, count: $0.count)
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
  /// The cost of a scan per object: that of the cheapest conjunct, which leaves few objects to the
  /// others.
  var scanCost: Int {
    switch self {
    case .all(let parts): parts.map(\.scanCost).min() ?? 1
    case .constant, .column, .values, .any, .not, .pair, .function: max(1, cost)
    }
  }
}

extension Access {
  /// The access as part of a conjunction, so that it is not exact.
  fileprivate var asInexact: Access {
    switch self {
    case .nothing, .everything, .scan: self
    case .index(let lookup):
      .index(IndexLookup(property: lookup.property, ranges: lookup.ranges, isExact: false))
    case .union(let parts): .union(parts.map(\.asInexact))
    case .links(let links):
      .links(
        LinkAccess(
          way: links.way, targetClass: links.targetClass, targets: links.targets,
          inner: links.inner, isExact: false))
    }
  }
}
