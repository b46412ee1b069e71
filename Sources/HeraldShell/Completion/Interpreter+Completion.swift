import Herald

extension Interpreter {
  /// The context of completion now. To be read between statements.
  package var completionContext: CompletionContext {
    var context = CompletionContext(
      schema: presentSchema, tokens: tokens.live.map(\.name), sessions: sessions.map(\.name))
    context.aliases = aliases
    let typer = Typer(context: context)
    context.variables = variables.mapValues { typer.typing(of: $0) }
    let reader = CompletionReader(shell: self)
    context.keys = { reader.keys(of: $0, begun: $1, limit: $2) }
    context.strings = { reader.strings(of: $1, in: $0, begun: $2, limit: $3) }
    context.mapKeys = { reader.mapKeys(of: $0, begun: $1, limit: $2) }
    context.files = { File.names(in: $0.isEmpty ? "." : $0) }
    return context
  }
}

extension Typer {
  /// The type of what a variable holds.
  func typing(of variable: Variable) -> Typing {
    switch variable {
    case .value(let value): Typing(value.element)
    case .values(let values): Typing(values.first?.element, shape: .list)
    case .changes: Typing(.string, shape: .list)
    case .object(let object): Typing(.link(object.id.classID))
    case .newObject(let object): typing(ofClass: object.className) ?? .unknown
    case .collection(let recipe): typing(of: recipe)
    case .projection(let name, _): typing(ofClass: name) ?? .unknown
    case .frozen(let resolved): typing(of: resolved)
    case .version: Typing(.int)
    }
  }

  private func typing(of frozen: Resolved) -> Typing {
    switch frozen {
    case .object(let object): Typing(.link(object.id.classID))
    case .collection(let collection):
      typing(of: collection.property.name, of: Typing(.link(collection.owner.id.classID)))
        ?? .unknown
    case .results(let results): Typing(.link(results.classID), shape: .list)
    case .projection(let projection): typing(ofClass: projection.name) ?? .unknown
    case .value, .values, .newObject, .elements: .unknown
    }
  }

  private func typing(of recipe: Recipe) -> Typing {
    switch recipe.origin {
    case .className(let name): typing(ofClass: name.text)?.collected ?? .unknown
    case .property(of: let owner, named: let name):
      typing(of: name, of: Typing(.link(owner.id.classID))) ?? .unknown
    case .recipe(let recipe): typing(of: recipe)
    }
  }
}
