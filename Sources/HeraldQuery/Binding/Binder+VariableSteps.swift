import HeraldModel

extension Binder {
  /// Takes a step from a variable that holds values: their number, or one of them.
  func take(
    _ step: PathSyntax.Step, from constant: Operand, _ walk: inout PathBinding
  ) throws(QueryError) {
    guard case .constants(let values) = constant.kind else {
      return try take(step, into: constant.constantValues.first ?? .null, &walk)
    }
    switch step.kind {
    case .operation(.count): walk.become(.constant(.int(values.count)), step)
    case .operation(let operation) where operation.function.accepts(walk.element ?? .any):
      let result = operation.apply(to: values, of: walk.element ?? .any)
      walk.become(.constant(result), step)
    case .index(let index):
      walk.become(.constant(index < values.count ? values[index] : .null), step)
    case .first: walk.become(.constant(values.first ?? .null), step)
    case .last: walk.become(.constant(values.last ?? .null), step)
    case .every, .values: break
    case .name, .links, .allLinks, .key, .variable, .computed, .keys, .type, .operation:
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
  }

  /// Takes a step from a variable that holds one value, which must be a list or a map.
  private func take(
    _ step: PathSyntax.Step, into value: Value, _ walk: inout PathBinding
  ) throws(QueryError) {
    if case .name(let name) = step.kind,
      let measure = ValueMeasure(name, of: ElementType(of: value))
    {
      return walk.become(.constant(measure.apply(to: value)), step)
    }
    switch (step.kind, value) {
    case (.name(let key), .map(let entries)), (.key(let key), .map(let entries)):
      walk.become(.constant(entries[key] ?? .null), step)
    case (.index(let index), .list(let values)):
      walk.become(.constant(index < values.count ? values[index] : .null), step)
    case (.first, .list(let values)): walk.become(.constant(values.first ?? .null), step)
    case (.last, .list(let values)): walk.become(.constant(values.last ?? .null), step)
    case (.every, .list(let values)): walk.become(.constants(values), step)
    case (.every, .map(let entries)), (.values, .map(let entries)):
      walk.become(.constants(entries.inKeyOrder.map(\.value)), step)
    case (.keys, .map(let entries)):
      walk.become(.constants(entries.inKeyOrder.map { .string($0.key) }), step)
    case (.operation(.count), .list(let values)):
      walk.become(.constant(.int(values.count)), step)
    case (.operation(.count), .map(let entries)):
      walk.become(.constant(.int(entries.count)), step)
    default:
      throw QueryError(
        .pathThroughValue(walk.text, type: walk.typeName(schema)), step.span)
    }
  }
}
