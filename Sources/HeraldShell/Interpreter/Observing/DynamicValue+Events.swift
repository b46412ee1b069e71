import Herald

extension Context {
  /// A value that can be observed.
  func value(_ expression: ExpressionSyntax, when condition: PredicateSyntax?) throws
    -> DynamicValue
  {
    let store = try store
    return try asking(at: store) { try store.value(of: expression, when: condition, names: $0) }
  }
}

extension DynamicValue.Change {
  /// `$old` and `$new` of the observer's block.
  var variables: [String: Variable] {
    switch self {
    case .initial(let value): ["old": .value(.null), "new": .value(value)]
    case .changed(let old, let new): ["old": .value(old), "new": .value(new)]
    case .error: [:]
    }
  }
}

extension Event.Kind {
  init(_ change: DynamicValue.Change, _ output: (Value) -> OutputValue) {
    switch change {
    case .initial(let value): self = .value(old: nil, new: output(value))
    case .changed(let old, let new): self = .value(old: output(old), new: output(new))
    case .error(let error): self = .error(error.eventMessage)
    }
  }
}
