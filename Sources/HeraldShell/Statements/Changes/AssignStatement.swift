import Herald

/// `$max.age = 4`, `$max.age += 1`, `$p.dogs[1] = $b`, `$p.scores["a"] = 3`, also after `set`.
struct AssignStatement: StatementForm {
  let path: PathSyntax
  let sign: AssignmentSign
  let expression: ExpressionSyntax

  func run(in context: Context) throws {
    if sign != .set, let name = path.variable { return try assign(name, context) }
    guard !path.steps.isEmpty else {
      throw context.failure(.notAssignable(context.source.text(path.span)), at: path.span)
    }
    try context.changeUnlessNew(path) {
      let target = try AssignmentTarget.at(path, context)
      guard case .newProperty = target.holder else {
        return try assign(target, context.giving(.added))
      }
      try context.givingNew { inner in try assign(target, inner) }
    }
    context.confirm(.changed, 1) { "changed" }
  }

  private func assign(_ target: AssignmentTarget, _ context: Context) throws {
    let content = try content(target, context)
    guard let element = try target.element(context) else {
      return try context.at(target.holder.nameSpan ?? path.span, giving: [expression]) {
        try target.holder.assign(content)
      }
    }
    let value = try single(content, isNested: !target.nestedSteps.isEmpty, context)
    try context.at(element.span, giving: [expression]) {
      switch element.step {
      case .row(let row): try element.collection.replace(at: row, with: value)
      case .key(let key): try element.collection.set(key, to: value)
      }
    }
  }

  private func content(_ target: AssignmentTarget, _ context: Context) throws -> PropertyContent {
    if sign == .set { return try context.content(expression, for: target.type(context)) }
    let current = ExpressionSyntax(.path(path), path.span)
    let old = try target.nestedElement() ?? context.value(current)
    return .value(try changed(old, context))
  }

  /// `$x += 1`
  private func assign(_ name: String, _ context: Context) throws {
    let old = try context.value(ExpressionSyntax(.path(path), path.span))
    let new = try changed(old, context)
    try context.bind(Name(text: name, span: path.span), .value(new))
  }

  private func changed(_ old: Value, _ context: Context) throws -> Value {
    let by = try context.value(expression)
    if let value = sign.value(old, by) { return value }
    let name = context.source.text(path.span)
    if case .null = old { throw context.failure(.nilNumber(name), at: path.span) }
    if case (.int, .int) = (old, by) {
      if sign == .divide, by == .int(0) {
        throw context.failure(.divisionByZero, at: expression.span)
      }
      throw context.failure(.overflow, at: expression.span)
    }
    throw context.failure(.notNumbers(name), at: expression.span)
  }

  /// The value of an element: one value in a property's collection, also a list or a map in an `any`.
  private func single(
    _ content: PropertyContent, isNested: Bool, _ context: Context
  ) throws -> Value {
    guard isNested || content.shape == .single else {
      throw context.failure(.expected("a single value", found: "several"), at: expression.span)
    }
    return content.asValue
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { span.start > path.span.end }
}
