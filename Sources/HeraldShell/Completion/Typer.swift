import Herald

/// Infers the types of names and paths in a text that may be incomplete.
struct Typer {
  let context: CompletionContext

  private var schema: Schema { context.schema }

  /// The type of objects of a class or a projection.
  func typing(ofClass name: String) -> Typing? {
    if let classSchema = schema.classSchema(named: name) { return Typing(.link(classSchema.id)) }
    if let definition = schema.query(named: name), definition.origin != name {
      return typing(ofClass: definition.origin)
    }
    guard let projection = schema.projection(named: name) else { return nil }
    var typing = typing(ofClass: projection.className)
    typing?.projection = name
    return typing
  }

  func classSchema(_ typing: Typing?) -> ClassSchema? {
    typing?.classID.flatMap { schema.classSchema($0) }
  }

  /// The names of the properties of an object, or of the elements of a collection, with their types.
  func properties(of typing: Typing?) -> [(name: String, typing: Typing)] {
    guard let typing, let classSchema = classSchema(typing) else { return [] }
    guard let projection = typing.projection.flatMap({ schema.projection(named: $0) }) else {
      return classSchema.properties.map { ($0.name, Typing($0.type)) }
    }
    var base = typing
    base.projection = nil
    return projection.fields.map { field in
      let names = field.path.split(separator: ".").map(String.init)
      return (field.name, self.typing(of: names, from: base) ?? .unknown)
    }
  }

  func typing(of name: String, of owner: Typing?) -> Typing? {
    properties(of: owner).first { $0.name == name }?.typing
  }

  func typing(of names: [String], from owner: Typing?) -> Typing? {
    names.reduce(owner) { typing(of: $1, of: $0) }
  }

  // MARK: Statements

  func typing(of owner: PropertyOwner) -> Typing? {
    switch owner.base {
    case .className(let name), .declared(let name), .linking(let name):
      typing(of: owner.properties, from: typing(ofClass: name))
    case .path(let path), .step(let path):
      typing(of: owner.properties, from: typing(ofPath: path))
    }
  }

  /// The type of the value at the end of a path.
  func typing(ofPath path: PathSyntax) -> Typing? {
    path.steps.reduce(typing(ofStart: path)) { typing, step in
      typing.flatMap { self.typing(after: step, $0) }
    }
  }

  func typing(of query: QuerySyntax) -> Typing? {
    switch query.origin {
    case .className(let name): typing(ofClass: name.text).map { $0.collected }
    case .path(let path): typing(ofPath: path)
    }
  }

  // MARK: Queries

  /// The type of an operand; nil if it is not known.
  func typing(of expression: ExpressionSyntax, root: Typing?) -> Typing? {
    switch expression.kind {
    case .literal(let value): Typing(value.element)
    case .list, .record, .generated, .test, .projection: nil
    case .query(let query): typing(of: query)
    case .path(let path): typing(of: path, root: root)
    case .arithmetic(let first, _): typing(of: first, root: root)
    case .subquery: Typing(.int)
    case .call, .duration: .unknown
    case .fallback(let first, _): typing(of: first, root: root)
    }
  }

  /// The type of a path in a query, which may lead through every element of a collection.
  func typing(of path: PathSyntax, root: Typing?) -> Typing? {
    var typing = path.startsAtRoot ? root : typing(ofStart: path)
    var steps = path.steps[...]
    // A predicate without a root may begin with a class: `Dog.@count`.
    if path.startsAtRoot, root == nil, case .name(let name)? = steps.first?.kind {
      typing = self.typing(ofClass: name)?.collected
      steps = steps.dropFirst()
    }
    var isMany = typing?.isCollection ?? false && !path.startsAtRoot
    for step in steps {
      typing = typing.flatMap { self.typing(after: step, $0) }
      isMany = isMany && !step.kind.isReducing || typing?.isCollection ?? false
    }
    guard let typing else { return nil }
    return isMany && !typing.isCollection ? typing.collected : typing
  }

  /// nil for a path from the object under evaluation.
  private func typing(ofStart path: PathSyntax) -> Typing? {
    switch path.start {
    case .root: nil
    case .variable(let name): context.variables[name]
    case .object(let className, key: _): typing(ofClass: className)
    case .query(let query): typing(of: query)
    }
  }

  private func typing(after step: PathSyntax.Step, _ typing: Typing) -> Typing? {
    switch step.kind {
    case .name("self") where typing.classID == nil && !typing.isCollection: return typing
    case .name(let name):
      return typing.shape == .map && typing.classID == nil
        ? typing.elementOfCollection : self.typing(of: name, of: typing)
    case .links(let className, property: _): return self.typing(ofClass: className)?.collected
    case .index, .first, .last, .key, .variable, .computed: return typing.elementOfCollection
    case .every, .values: return Typing(typing.element, shape: .list)
    case .keys: return Typing(.string, shape: .list)
    case .operation(.count): return Typing(.int)
    case .operation(let operation):
      return Typing(typing.element.map(operation.function.type))
    case .allLinks, .type: return nil
    }
  }
}

extension PathSyntax.Step.Kind {
  /// Whether the step reduces many values to one.
  fileprivate var isReducing: Bool { if case .operation = self { true } else { false } }
}

extension Typing {
  /// A list of such values.
  var collected: Typing {
    var typing = self
    typing.shape = .list
    return typing
  }

  var elementOfCollection: Typing {
    var typing = self
    typing.shape = .single
    return typing
  }
}
