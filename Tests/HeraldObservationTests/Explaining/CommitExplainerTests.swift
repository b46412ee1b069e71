import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// `why` after several commits that were taken as one, against a twin that takes the last of them alone.
@Suite struct CommitExplainerTests {
  @Test(arguments: seeds(24))
  func `1.5 of several commits the last is explained as if it were taken alone`(seed: UInt64) throws
  {
    let history = try CommitHistory(seed: seed, commits: 24)
    var random = SplitMix64(seed: seed)
    let reader = ModelReader(history.state(history.first))
    let targets = reader.state.randomTargets(&random)
    let (observatory, twin) = (Observatory(), Observatory())
    for target in targets {
      _ = observatory.register(target)
      _ = twin.register(target)
    }
    _ = try reports(observatory, reader)
    _ = try reports(twin, reader)
    var counts = (notified: 0, unreported: 0)
    var version = history.first
    while version < history.last {
      let next = min(version + 2 + random.below(2), history.last)
      defer { version = next }
      let records = history.records(version + 1...next)
      if records.count < 2 { break }
      reader.state = history.state(next - 1)
      twin.take(Array(records.dropLast()), reader)
      _ = try reports(twin, reader)
      reader.state = history.state(next)
      twin.take(records.suffix(1), reader)
      let alone = try reports(twin, reader)
      observatory.take(records, reader)
      let merged = try reports(observatory, reader)
      for (number, target) in targets.enumerated() {
        let token = TokenID(rawValue: number)
        let (seen, expected) = (observatory.why(token, reader), twin.why(token, reader))
        let isNotified = if case .delivered = seen { true } else { false }
        if merged.contains(token), observatory.isLive(token), twin.isLive(token) {
          if isNotified { counts.notified += 1 } else { counts.unreported += 1 }
          #expect(
            isNotified == alone.contains(token), "seed \(seed): \(target) \(seen) \(expected)")
        }
        if !isNotified, !alone.contains(token), twin.isLive(token) {
          #expect(seen.isEqual(to: expected), "seed \(seed): \(target) \(seen) \(expected)")
        }
      }
    }
    #expect(counts.notified > 0 && counts.unreported > 0, "seed \(seed): \(counts)")
  }

  /// The tokens that a round delivers to.
  private func reports(_ observatory: Observatory, _ reader: ModelReader) throws -> Set<TokenID> {
    var notified: Set<TokenID> = []
    let round = observatory.beginRound()
    while let due = try observatory.next(in: round, reader) { notified.insert(due.token) }
    return notified
  }
}

extension DeliveryReason {
  /// What the last of several commits left as it was is so too where it changed nothing on its own.
  fileprivate func isEqual(to other: DeliveryReason) -> Bool {
    if case .asBefore = self, case .untouched = other { return true }
    return self == other
  }
}

extension RecordedState {
  /// Results with predicates, orders and limits, collections, objects, projections and properties.
  fileprivate func randomTargets(_ random: inout SplitMix64) -> [ObservedTarget] {
    var targets: [ObservedTarget] = []
    for classSchema in schema.classes {
      let integers = classSchema.properties.filter {
        $0.type.element == .int && !$0.type.isCollection
      }
      for _ in 0..<3 {
        var query = BoundQuery(classID: classSchema.id)
        if let property = integers.randomElement(using: &random) {
          let path = path(classSchema, property)
          let least = random.below(20) - 5
          let predicate = BoundPredicate(dependencies: [path]) { number, reader in
            guard case .int(let value) = reader.value(property.id, of: ObjectID(path.root, number))
            else { return false }
            return value > least
          }
          var stages: [QueryStage] = []
          if random.oneIn(2) {
            stages.append(.sort(SortOrder(keys: [SortOrder.Key(path: path, isAscending: true)])))
          }
          if random.oneIn(3) { stages.append(.limit(1 + random.below(4))) }
          query = BoundQuery(classID: classSchema.id, predicate: predicate, stages: stages)
        }
        targets.append(.results(query, filter(classSchema, &random)))
      }
      for number in numbers(of: classSchema.id).prefix(3) {
        let object = ObjectID(classSchema.id, number)
        targets.append(.object(object, .everything))
        for property in classSchema.properties {
          let path = path(classSchema, property)
          if property.type.isCollection {
            let filter =
              random.oneIn(2) || property.type.linkedClass == nil
              ? RowFilter.deep(limit: random.below(4)) : .keyPaths([])
            targets.append(.collection(owner: object, property: property.id, filter))
          }
          if property.type.isBacklinks { continue }
          targets.append(.property(object, property.id))
          if random.oneIn(3) {
            targets.append(.object(object, .keyPaths([path], isExclusive: random.oneIn(2))))
            let field = ProjectionField(name: property.name, path: path)
            targets.append(.projection(object, fields: [field], keyPaths: nil))
          }
        }
      }
    }
    return targets
  }

  private func path(_ classSchema: ClassSchema, _ property: PropertySchema) -> PropertyPath {
    PropertyPath(
      root: classSchema.id, steps: [PropertyPath.Step(classSchema.id, .property(property.id))])
  }

  private func filter(_ classSchema: ClassSchema, _ random: inout SplitMix64) -> RowFilter {
    guard random.oneIn(3) else { return .deep(limit: random.below(4)) }
    return .keyPaths(
      classSchema.properties.filter { !$0.type.isBacklinks && random.oneIn(3) }.map {
        path(classSchema, $0)
      })
  }
}
