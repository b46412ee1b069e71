import Herald

extension Context {
  /// `freeze $max`: an immutable snapshot.
  func frozen(_ expression: ExpressionSyntax) throws -> Variable {
    do {
      switch try resolve(expression) {
      case .object(let object): return .frozen(.object(try object.frozen.base))
      case .results(let results): return .frozen(.results(try results.frozen.base))
      case .collection(let collection): return .frozen(.collection(try collection.frozen.base))
      case .projection(let projection): return .frozen(.projection(try projection.frozen.base))
      case .value(let value): return .value(value)
      case .values(let values): return .values(values)
      case .elements(let elements): return .values(try elements.values)
      case .newObject:
        throw HeraldError.objectNotAdded(source.text(expression.span))
      }
    } catch {
      throw located(error, source, expression.span)
    }
  }
}

extension Resolved {
  /// The store that the value is read from; nil for plain values.
  var store: DynamicStore? {
    switch self {
    case .object(let object): object.store
    case .collection(let collection): collection.store
    case .results(let results): results.store
    case .elements(let elements): elements.collection.store
    case .projection(let projection): projection.store
    case .value, .values, .newObject: nil
    }
  }
}
