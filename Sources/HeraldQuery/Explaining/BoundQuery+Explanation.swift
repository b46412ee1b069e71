package import HeraldModel

extension BoundQuery {
  /// Runs the query over all objects of its class and returns how it was executed.
  package func explanation(_ reader: any ObjectReader) -> QueryExplanation {
    var steps: [QueryExplanation.Step] = []
    let rows = explain(into: &steps, reader)
    explainStages(rows, into: &steps, reader)
    return QueryExplanation(steps: steps)
  }

  /// Like `explanation`, among a collection's objects.
  package func explanation(
    among objects: [ObjectNumber], _ reader: any ObjectReader
  ) -> QueryExplanation {
    let name = reader.schema.classSchema(classID)?.name ?? ""
    var steps = [
      QueryExplanation.Step(
        kind: .rows, text: "of a collection of \(name)", estimated: objects.count,
        actual: objects.count)
    ]
    var rows = objects
    if !predicate.isAlways {
      let share = predicate.condition.share(of: objects, classID, reader)
      rows = objects.filter { predicate.matches($0, reader) }
      steps.append(
        QueryExplanation.Step(
          kind: .filter, text: predicate.condition.text, estimated: share, actual: rows.count))
    }
    explainStages(rows, into: &steps, reader)
    return QueryExplanation(steps: steps)
  }

  private func explainStages(
    _ rows: [ObjectNumber], into steps: inout [QueryExplanation.Step], _ reader: any ObjectReader
  ) {
    var rest = stages[...]
    var rows = rows
    while let stage = rest.first {
      let before = rest
      let expected = rows.count
      rows = applyFirst(of: &rest, to: rows, reader)
      let step = stage.step(estimated: expected, actual: rows.count, reader.schema)
      steps.append(step)
      guard before.count - rest.count == 2, case .limit(let count)? = before.dropFirst().first
      else { continue }
      steps[steps.count - 1] = QueryExplanation.Step(
        kind: .top, text: "\(count) by \(step.text)", estimated: min(count, expected),
        actual: rows.count)
    }
  }

  /// Appends the steps that find the objects; returns the objects.
  private func explain(
    into steps: inout [QueryExplanation.Step], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    let plan = QueryPlan(self, reader)
    let rows = plan.rows(reader)
    let found = plan.candidates
    if case .links(let links) = found.access, let inner = links.inner {
      _ = inner.explain(into: &steps, reader)
    }
    guard plan.access.isLookup else {
      let isScan = plan.access.isScan
      steps.append(
        QueryExplanation.Step(
          kind: plan.access.kind(of: classID, reader.schema),
          text: text(of: found, reader.schema),
          estimated: isScan ? estimate(reader) : found.count, actual: rows.count,
          blocks: isScan ? predicate.condition.blocks(of: classID, reader) : nil))
      return rows
    }
    let candidates = Array(Set(found.access.numbers(of: classID, reader))).sorted()
    steps.append(
      QueryExplanation.Step(
        kind: plan.access.kind(of: classID, reader.schema), text: text(of: found, reader.schema),
        estimated: found.count, actual: candidates.count))
    var filter = predicate.condition.rest(without: found.condition)
    // An index may return more objects than match.
    if filter.isEmpty, rows.count != candidates.count { filter = predicate.condition.text }
    if !filter.isEmpty {
      let share = predicate.condition.share(of: candidates, classID, reader)
      steps.append(
        QueryExplanation.Step(
          kind: .filter, text: filter, estimated: share, actual: rows.count))
    }
    return rows
  }

  private func text(of found: CandidateObjects, _ schema: Schema) -> String {
    let name = schema.classSchema(classID)?.name ?? ""
    switch found.access {
    case .everything, .nothing: return name
    case .scan, .index, .union: return "\(name): \(found.condition.text)"
    case .links(let links):
      switch links.way {
      case .back(let property):
        let target = links.inner == nil ? " (\(found.condition.text))" : ""
        return "back through \(name).\(schema.name(of: property, in: classID))\(target)"
      case .forward(let origin, let property):
        let originName = schema.classSchema(origin)?.name ?? ""
        return "through \(originName).\(schema.name(of: property, in: origin)) to \(name)"
      }
    }
  }

  /// Estimates the number of matches of a scan from some blocks, evenly spread.
  private func estimate(_ reader: any ObjectReader) -> Int {
    let blockCount = reader.blockCount(of: classID)
    let step = max(1, blockCount / 8)
    var (seen, matching) = (0, 0)
    for block in stride(from: 0, to: blockCount, by: step) {
      let presence = reader.presence(of: classID, block: block)
      seen += presence.bitCount
      matching += predicate.condition.select(presence, of: classID, block: block, reader).bitCount
    }
    return seen == 0 ? 0 : matching * reader.objectCount(of: classID) / seen
  }
}

extension Access {
  fileprivate var isScan: Bool { if case .scan = self { true } else { false } }

  /// Whether the objects are looked up rather than scanned.
  fileprivate var isLookup: Bool {
    switch self {
    case .index, .union, .links: true
    case .nothing, .everything, .scan: false
    }
  }

  fileprivate func kind(of classID: ClassID, _ schema: Schema) -> QueryExplanation.Kind {
    switch self {
    case .nothing: .nothing
    case .everything: .all
    case .scan: .scan
    case .union: .union
    case .links: .links
    case .index(let lookup):
      schema.classSchema(classID)?.property(lookup.property)?.isPrimaryKey == true
        ? .primaryKey : .index
    }
  }
}

extension Condition {
  /// Returns the text of the conjuncts except `part`.
  fileprivate func rest(without part: Condition) -> String {
    guard case .all(let parts) = self else { return "" }
    let found = part.text
    let texts = parts.map(\.text).filter { $0 != found }
    return texts.withoutDuplicates.joined(separator: " AND ")
  }

  /// Estimates how many of some objects match, from the first 64.
  fileprivate func share(
    of numbers: [ObjectNumber], _ classID: ClassID, _ reader: any ObjectReader
  ) -> Int {
    let sample = numbers.prefix(64)
    guard !sample.isEmpty else { return 0 }
    let matching = sample.count { number in
      matches(EvaluationScope(reader: reader, root: ObjectID(classID, number)))
    }
    return matching * numbers.count / sample.count
  }

  /// Returns the number of blocks of a class, and how many the first tested column can skip.
  fileprivate func blocks(
    of classID: ClassID, _ reader: any ObjectReader
  ) -> QueryExplanation.Blocks {
    let total = reader.blockCount(of: classID)
    guard let column = firstColumn else { return QueryExplanation.Blocks(total: total, skipped: 0) }
    let skipped = (0..<total).count { block in
      reader.isDecided(column.test, property: column.property, of: classID, block: block)
    }
    return QueryExplanation.Blocks(total: total, skipped: skipped)
  }

  private var firstColumn: ColumnCondition? {
    switch self {
    case .column(let column): column
    case .all(let parts): parts.first?.firstColumn
    case .not(let inner): inner.firstColumn
    case .constant, .any, .values, .pair, .function: nil
    }
  }
}

extension SortOrder.Key {
  /// Returns the path as written in the language, with what is derived from its value.
  func text(in schema: Schema) -> String {
    expression?.text ?? path.text(in: schema) + (measure.map { ".\($0.name)" } ?? "")
  }
}

extension PropertyPath {
  /// Returns the path as written in the language.
  fileprivate func text(in schema: Schema) -> String {
    steps.map { step in
      guard case .property(let property) = step.kind else { return "" }
      return schema.name(of: property, in: step.classID)
        + step.positions.map { position in
          switch position {
          case .entry(let key), .key(let key): "[\(key.quoted)]"
          case .index(let index): "[\(index)]"
          case .last: "[LAST]"
          }
        }.joined()
    }
    .joined(separator: ".")
  }
}

extension Schema {
  fileprivate func name(of property: PropertyID, in classID: ClassID) -> String {
    classSchema(classID)?.property(property)?.name ?? ""
  }
}
