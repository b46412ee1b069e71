import Foundation
import Herald
import TestSupport
import Testing

@testable import TestModel

/// How many queries are planned: HERALD_PLANS, or 40,000.
private let planCount =
  environmentNumber("HERALD_PLANS") ?? 40_000

/// Where they begin: HERALD_SEED, or anew each time.
private let planSeed =
  givenSeed ?? UInt64.random(in: 0..<1_000_000_000)

@Suite struct PlanTwinTests {
  @Test func `every plan finds what looking at every object finds`() throws {
    print("plans from seed \(planSeed)")
    var kinds: Set<QueryExplanation.Kind> = []
    var (round, asked) = (0, 0)
    while asked < planCount {
      let seed = planSeed &+ UInt64(round)
      let world = try PlanWorld(seed: seed)
      if round % 16 == 0 { try #require(world.store.check().isEmpty, "seed \(seed)") }
      // Scanning every object is slow where there are many: small worlds get more queries.
      let perWorld = min(1_500, 36_000 / max(1, world.model.objects[PlanWorld.row].count))
      round += 1
      for type in [PlanWorld.row, PlanWorld.owner] {
        var random = SplitMix64(seed: seed ^ UInt64(type + 1))
        let count = type == PlanWorld.row ? perWorld * 4 / 5 : perWorld / 5 + 1
        asked += count
        for number in 0..<count {
          guard let query = world.model.schema.randomPredicate(type, depth: 3, &random) else {
            continue
          }
          let results = try ask(query, type, world, "seed \(seed)")
          if number < 20 { try explain(results, "seed \(seed)", &kinds) }
        }
      }
    }
    let expected: Set<QueryExplanation.Kind> = [
      .primaryKey, .index, .union, .links, .scan, .filter,
    ]
    if planCount >= 1_000 { #expect(kinds.isSuperset(of: expected), "\(kinds)") }
  }

  private func ask(
    _ predicate: ModelPredicate, _ type: Int, _ world: PlanWorld, _ seed: String
  ) throws -> DynamicResults {
    let schema = world.model.schema
    let text = predicate.text(schema, type)
    let results = try world.store.results(schema.classes[type].name, asking: text)
    let expected = ModelQuery(type: type, predicate: predicate).rows(world.model)
    let found = try results.objects.map(\.id)
    try #require(found.map { .link($0) } == expected.map(\.value), "\(seed): \(text)")
    let count = try results.count
    try #require(count == found.count, "\(seed): \(text)")
    return results
  }

  private func explain(
    _ results: DynamicResults, _ seed: String, _ kinds: inout Set<QueryExplanation.Kind>
  ) throws {
    let explanation = try results.explanation
    let steps = explanation.steps
    // What is frozen is found the same way.
    let frozen = try results.frozen.explanation
    try #require(frozen == explanation, "\(seed): \(frozen.steps) is not \(steps)")
    for step in steps { kinds.insert(step.kind) }
    let count = try results.count
    try #require(steps.last?.actual == count, "\(seed): \(steps)")
  }
}

extension DynamicStore {
  /// The results of a condition as text; the clauses after it are read too.
  func results(_ className: String, asking text: String) throws -> DynamicResults {
    let source = Array("where \(text)".utf8)
    let (tail, end) = try QueryParser.parseTail(source, from: 0)
    try #require(end == source.count, "only \(end) bytes are read of \(text)")
    return try results(className, tail, names: NoNames())
  }
}
