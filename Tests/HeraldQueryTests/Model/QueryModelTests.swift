import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import TestModel

/// How much the randomised tests do: HERALD_QUESTIONS, or 20,000 queries.
let queryCount =
  environmentNumber("HERALD_QUESTIONS") ?? 20_000

@Suite struct QueryModelTests {
  @Test func `plans and the model find the same rows`() throws {
    print("queries from seed \(firstSeed)")
    var coverage = ModelCoverage()
    var asked = 0
    var seed = firstSeed
    while asked < queryCount {
      var random = SplitMix64(seed: seed)
      let model = Self.randomModel(&random)
      let reader = ModelReader(RecordedState(model))
      for _ in 0..<4 {
        var query = model.schema.randomQuery(&random)
        query.predicate =
          query.predicate ?? model.schema.randomPredicate(query.type, depth: 3, &random)
        let text = query.text(model.schema)
        coverage.note(query: text)
        try compare(query, text, model, reader, "seed \(seed): \(text)", isBound: random.chance(50))
        asked += 1
      }
      seed += 1
    }
    let missing = coverage.missing(ModelCoverage.queryWords)
    if queryCount >= 10_000 { #expect(missing.isEmpty, "\(missing), of \(coverage.counts)") }
  }

  private static func randomModel(_ random: inout SplitMix64) -> ModelStore {
    var schema = ModelSchema.random(&random)
    schema.ids = schema.declared.classes.map(\.id)
    schema.hasQueriesOfRows = false
    var model = ModelStore.random(schema, &random)
    model.schema.variables = [("n", .int(2))]
    if let object = model.objects[0].randomElement(using: &random) {
      model.schema.variables.append(("p", .link(object.id)))
    }
    return model
  }

  /// `isBound`: with variables that are read once.
  private func compare(
    _ query: ModelQuery, _ text: String, _ model: ModelStore, _ reader: ModelReader,
    _ note: String, isBound: Bool
  ) throws {
    let (tail, end) = try QueryParser.parseTail(Array(text.utf8), from: 0)
    try #require(end == text.utf8.count, "\(note)")
    let variables = Dictionary(
      uniqueKeysWithValues: model.schema.variables.map { ($0.name, QueryOperand.value($0.value)) })
    let classID = model.schema.ids[query.type]
    let bound: BoundQuery
    do {
      bound = try BoundQuery.bind(
        tail, root: classID, schema: reader.schema, names: KennelNames(variables: variables),
        reader: isBound ? reader : nil)
    } catch {
      Issue.record("\(note): \(error)")
      throw error
    }
    let expected = query.rows(model).map(\.value)
    let found = bound.rows(reader)
    try #require(found.map { .link(ObjectID(classID, $0)) } == expected, "\(note)")
    try #require(bound.count(reader) == expected.count, "\(note)")
    for object in model.objects[query.type] {
      let matches = query.predicate?.matches(object.id, model) ?? true
      try #require(
        bound.predicate.matches(object.id.number, reader) == matches, "\(object.id.number), \(note)"
      )
      guard let span = bound.predicate.span, matches else { continue }
      let value = reader.value(span.property, of: object.id)
      let place = try #require(value.intervalKey, "\(object.id.number), \(note)")
      try #require(span.lower <= place && place <= span.upper, "\(object.id.number), \(note)")
    }
    try expectSameTree(tail, note)
  }

  /// The printed tree parses to the same tree.
  private func expectSameTree(_ tail: QueryTail, _ note: String) throws {
    let printed = tail.description
    let (again, end) = try QueryParser.parseTail(Array(printed.utf8), from: 0)
    try #require(end == printed.utf8.count, "\(printed), \(note)")
    try #require(again.outline == tail.outline, "\(printed), \(note)")
  }
}
