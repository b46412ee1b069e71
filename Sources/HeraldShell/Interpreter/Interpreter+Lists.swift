import Herald

extension Interpreter {
  func append(_ values: [Expression], _ place: Place, _ context: Context) throws {
    try change(context) { _ in
      let list = try list(place, context)
      let values = try elements(values, context)
      try at(place.span, context) { try list.append(values) }
    }
    confirm { "appended \(values.count)" }
  }

  func insert(
    _ values: [Expression], _ place: Place, _ index: Expression?, _ context: Context
  ) throws {
    guard let index else { throw ShellError(.listNeedsPlace, context.source, place.span) }
    try change(context) { _ in
      let list = try list(place, context)
      let row = try row(index, context)
      let values = try elements(values, context)
      try at(row <= list.count && row >= 0 ? place.span : index.span, context) {
        try list.insert(values, at: row)
      }
    }
    confirm { "inserted \(values.count)" }
  }

  /// `remove $p.dogs[2]`.
  func remove(_ place: Place, _ context: Context) throws {
    try change(context) { _ in
      let (list, row, span) = try elementPlace(place, context)
      try at(span, context) { try list.remove(at: row) }
    }
    confirm { "removed 1" }
  }

  /// `remove "x" from $p.tags`: sets have values to remove, lists have rows.
  func removeValue(from place: Place, _ context: Context) throws {
    _ = try list(place, context)
    throw ShellError(
      .expected("a row to remove, '\(context.source.text(place.span))[N]'", found: "a value"),
      context.source, place.span)
  }

  func move(_ place: Place, _ index: Expression, _ context: Context) throws {
    try change(context) { _ in
      let (list, row, span) = try elementPlace(place, context)
      let end = try self.row(index, context)
      let isInside = row >= 0 && row < list.count
      try at(isInside ? index.span : span, context) { try list.move(from: row, to: end) }
    }
    confirm { "moved 1" }
  }

  func clear(_ place: Place, _ context: Context) throws {
    try change(context) { _ in
      let list = try list(place, context)
      try at(place.span, context) { try list.removeAll() }
    }
    confirm { "cleared" }
  }

  private func list(_ place: Place, _ context: Context) throws -> List {
    let resolved = try resolve(place, context)
    if case .list(let list) = resolved { return list }
    throw notAList(context.source.text(place.span), resolved, place.span, context)
  }

  private func elementPlace(
    _ place: Place, _ context: Context
  ) throws -> (list: List, row: Int, span: SourceSpan) {
    guard case .index(let index)? = place.steps.last else {
      throw ShellError(
        .expected("an element of a list", found: "'\(context.source.text(place.span))'"),
        context.source, place.span)
    }
    let owner = try resolveOwner(of: place, context)
    guard case .list(let list) = owner else {
      let span = SourceSpan(
        start: place.span.start, end: max(place.span.start, index.span.start - 1))
      throw notAList(context.source.text(span), owner, span, context)
    }
    return (list, try row(index, context), index.span)
  }

  private func notAList(
    _ text: String, _ found: Resolved, _ span: SourceSpan, _ context: Context
  ) -> ShellError {
    ShellError(.notACollection(text, found: found.kind), context.source, span)
  }

  private func elements(_ expressions: [Expression], _ context: Context) throws -> [Value] {
    try expressions.map { try value($0, context) }
  }
}
