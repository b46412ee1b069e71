import Herald

/// Finds the names of classes and properties in a text that neither the store nor the text itself has.
struct UnknownNames {
  private let context: CompletionContext
  private let typer: Typer
  private let declared: Set<String>

  init(_ context: CompletionContext, declared: Set<String>) {
    self.context = context
    typer = Typer(context: context)
    self.declared = declared
  }

  func spans(_ notes: ParserNotes) -> [SourceSpan] {
    let schema = context.schema
    let classes = notes.meanings.filter { _, meaning in
      switch meaning {
      case .className(let name):
        !schema.isTaken(name) && !declared.contains(name) && !context.tokens.contains(name)
      case .keyword: false
      }
    }
    return classes.map(\.span) + notes.references.filter(isUnknown).map(\.name.span)
  }

  /// Whether the object that a property belongs to is known, and has no such property.
  private func isUnknown(_ reference: ParserNotes.Reference) -> Bool {
    let owner: Typing?
    switch reference.owner {
    case .owner(let properties):
      if startsLocally(properties, reference) { return false }
      owner = typer.typing(of: properties)
    case .root(let root):
      if startsLocally(root, reference) { return false }
      owner = typer.typing(of: root)?.elementOfCollection
    case .path(let path, let root):
      if case .variable(let name) = path.start, reference.locals.contains(name) { return false }
      let root = root.flatMap { typer.typing(of: $0) }
      let candidates = CompletionCandidates(context, ParserNotes())
      owner = candidates.within(reference.elements, root: root).typer
        .typing(of: path, root: root?.elementOfCollection)
    }
    guard let owner, owner.classID != nil, owner.shape != .map,
      !Self.ofEveryObject.contains(reference.name.text)
    else { return false }
    let properties = typer.properties(of: owner)
    return !properties.isEmpty && !properties.contains { $0.name == reference.name.text }
  }

  private func startsLocally(_ owner: PropertyOwner, _ reference: ParserNotes.Reference) -> Bool {
    switch owner.base {
    case .path(let path), .step(let path):
      if case .variable(let name) = path.start { reference.locals.contains(name) } else { false }
    case .className, .declared, .linking: false
    }
  }

  private static let ofEveryObject: Set<String> = ["invalidated", "isInvalidated", "self"]
}
