import Herald

/// Resolves the names in an expression for the query language.
final class Names: QueryNames {
  private let interpreter: Interpreter
  private let scope: VariableScope
  private let session: ShellSession
  let store: DynamicStore
  /// Whether objects that are named by their keys need not exist.
  private let allowsMissing: Bool
  /// The text of the expression.
  private let source: Source
  /// A value in the place of a variable's.
  private var substitute: (name: String, value: QueryOperand)?
  /// The store of a frozen variable in the expression; nil without one.
  private(set) var frozenStore: DynamicStore?
  /// The error of a variable that does exist, reported in place of the query language's error.
  private(set) var failure: (any Error)?

  init(
    _ interpreter: Interpreter, _ scope: VariableScope, _ session: ShellSession,
    _ store: DynamicStore, _ source: Source, allowsMissing: Bool = false
  ) {
    self.source = source
    self.allowsMissing = allowsMissing
    self.interpreter = interpreter
    self.scope = scope
    self.session = session
    self.store = store
  }

  /// The context of what it reads of itself.
  private var context: Context {
    var context = Context(interpreter, source, session)
    context.locals = scope.local
    return context
  }

  var variableNames: [String] { scope.names }

  func variable(_ name: String) -> QueryOperand? {
    if let substitute, substitute.name == name { return substitute.value }
    guard let variable = scope[name] else { return nil }
    switch variable {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .changes(let properties): return .values(properties.map { .string($0.name) })
    case .object(let object): return .value(.link(held(object, name)))
    case .newObject(let object):
      guard let added = object.added else { return .value(object.link) }
      if added.isRolledBack || store.object(added.id) == nil { fail(object.missing(name, session)) }
      return .value(.link(added.id))
    case .projection(_, let object): return .value(.link(held(object, name)))
    case .collection(let recipe): return operand(recipe)
    case .frozen(let resolved): return (try? operand(resolved)) ?? .value(.null)
    case .version(let store): return .value(.int(store.version))
    }
  }

  func collection(_ name: String) -> (owner: ObjectID, property: String)? {
    guard session.store === store, case .collection(let recipe)? = scope[name], recipe.tail == nil,
      case .property(let owner, let property) = recipe.origin, store.object(owner.id) != nil,
      let type = store.schema.classSchema(owner.id.classID)?.property(named: property)?.type,
      type.linkedClass == nil || type.shape == .map
    else { return nil }
    return (owner.id, property)
  }

  func rows(_ name: String) -> VariableRows? {
    guard !store.isFrozen, case .collection(let recipe)? = scope[name] else { return nil }
    switch try? recipe.resolved(in: session, of: interpreter) {
    case .results(let results)? where results.store === store: return results.variableRows
    case .collection(let collection)?: return collection.variableRows
    case .elements(let elements)? where elements.collection.store === store:
      return elements.variableRows
    case .results?, .elements?, .value?, .values?, .object?, .newObject?, .projection?, nil:
      return nil
    }
  }

  func rowCount(of name: String) -> Int? { try? results(name)?.count }

  func row(_ index: Int, of name: String) -> ObjectID? { try? results(name)?[index].id }

  /// The results that a variable holds.
  private func results(_ name: String) -> DynamicResults? {
    guard substitute?.name != name, case .collection(let recipe)? = scope[name],
      case .results(let results)? = try? recipe.resolved(in: session, of: interpreter),
      results.store === store
    else { return nil }
    return results
  }

  /// Frozen values are read at their own version, and live ones at the present one, also in one
  /// query.
  func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand? {
    if substitute?.name == name { return nil }
    if case .newObject(let object)? = scope[name], object.added == nil {
      return value(of: expression, from: object, name)
    }
    guard let variable = scope[name], let other = home(of: variable), other !== store
    else { return nil }
    if other.isFrozen { frozenStore = other }
    let names = Names(interpreter, scope, session, other, source)
    do {
      return try names.asking { try other.evaluate(expression, names: names) }
    } catch {
      failure = failure ?? error
      return .value(.null)
    }
  }

  func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand? {
    do {
      let other = try context.store(at: version.syntax)
      frozenStore = other
      let names = Names(
        interpreter, scope, session.reading(other), other, source,
        allowsMissing: allowsMissing)
      return try names.asking { try other.evaluate(expression, names: names) }
    } catch {
      // Nor need the version exist.
      if !allowsMissing { failure = failure ?? error }
      return .value(.null)
    }
  }

  /// Reads an object that is not in the store.
  private func value(
    of expression: ExpressionSyntax, from object: NewObject, _ name: String
  ) -> QueryOperand? {
    guard case .path(let path) = expression.kind, !path.asksForInvalidation else { return nil }
    var reached = Resolved.newObject(object)
    var rest = path.steps[...]
    do {
      while let step = rest.first, step.kind.isOfOneValue, !reached.isOfSeveral(for: step) {
        let span = SourceSpan(start: path.span.start, end: step.span.start)
        reached = try context.take(step, from: reached, span)
        rest.removeFirst()
      }
      let found = operand(of: reached)
      if rest.isEmpty { return found }
      var end = path
      end.steps = Array(rest)
      let names = Names(interpreter, scope, session, store, source)
      names.substitute = (name, found)
      return try store.evaluate(ExpressionSyntax(.path(end), path.span), names: names)
    } catch {
      failure = failure ?? error
      return .value(.null)
    }
  }

  private func operand(of resolved: Resolved) -> QueryOperand {
    switch resolved {
    case .value(let value): return .value(value)
    case .newObject(let object): return .value(object.link)
    case .object(let object): return .value(.link(object.id))
    case .values(let values):
      let links = values.compactMap { value -> ObjectID? in
        guard case .link(let id) = value, id.number > 0 else { return nil }
        return id
      }
      guard let first = links.first, links.count == values.count else { return .values(values) }
      return .objects(classID: first.classID, links.map(\.number))
    case .collection, .results, .elements, .projection:
      return (try? operand(resolved)) ?? .value(.null)
    }
  }

  func note(_ remark: String) { interpreter.confirm { "hint: \(remark)" } }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    if let object = try store.object(className, key: key) { return object.id }
    // No object has the number 0.
    return allowsMissing
      ? store.schema.classSchema(named: className).map { ObjectID($0.id, 0) } : nil
  }

  func projection(_ name: String) -> ProjectionDefinition? {
    switch scope[name] {
    case .projection(let projection, _)?: store.schema.projection(named: projection)
    case .frozen(.projection(let frozen))?: store.schema.projection(named: frozen.name)
    case .frozen(.results(let frozen))?: frozen.projection
    case .collection(let recipe)?:
      if case .results(let rows)? = try? recipe.resolved(in: session, of: interpreter) {
        rows.projection
      } else {
        nil
      }
    case .value?, .values?, .changes?, .object?, .newObject?, .frozen?, .version?, nil: nil
    }
  }

  func isInvalidated(_ name: String) -> Bool? {
    switch scope[name] {
    case .object(let object)?, .projection(_, let object)?:
      if store.object(object.id) == nil { return true }
      // It does not hide a property of that name.
      let classSchema = store.schema.classSchema(object.id.classID)
      return classSchema?.property(named: "isInvalidated") == nil ? false : nil
    case .newObject(let object)?:
      guard let added = object.added else { return false }
      return added.isRolledBack || store.object(added.id) == nil
    case .frozen(.object)?, .frozen(.projection)?: return false
    case .value?, .values?, .changes?, .collection?, .frozen?, .version?, nil: return nil
    }
  }

  func value(of generated: GeneratedValue) -> Value? {
    switch generated {
    case .inTransaction: .bool(store.isInWrite)
    case .version: .int(store.version)
    case .now: .date(session.time)
    case .uuid, .objectID: nil
    }
  }

  /// The store that a variable is read from; nil if it is a plain value.
  private func home(of variable: Variable) -> DynamicStore? {
    switch variable {
    case .value, .values, .changes, .version: nil
    case .object, .collection, .projection, .newObject: session.store
    case .frozen(let resolved): resolved.store
    }
  }

  private func operand(_ recipe: Recipe) -> QueryOperand {
    do {
      return try operand(recipe.resolved(in: session, of: interpreter))
    } catch {
      fail(located(error, recipe.source, recipe.span).diagnostic)
      return .value(.null)
    }
  }

  private func operand(_ resolved: Resolved) throws -> QueryOperand {
    switch resolved {
    case .results(let results):
      return .objects(classID: results.classID, try results.numbers())
    case .collection(let collection):
      guard let target = collection.property.type.linkedClass else {
        return .values(collection.values)
      }
      let numbers = collection.values.compactMap { value in
        if case .link(let id) = value { id.number } else { nil }
      }
      return .objects(classID: target, numbers)
    case .object(let object): return .value(.link(object.id))
    case .projection(let projection): return .value(.link(projection.object.id))
    case .elements(let elements): return .values(try elements.values)
    case .value, .values, .newObject: return .value(.null)
    }
  }

  private func held(_ object: HeldObject, _ name: String) -> ObjectID {
    if store.object(object.id) == nil {
      fail(.missingObject(name, of: object.name, session: session.name))
    }
    return object.id
  }

  private func fail(_ diagnostic: Diagnostic) { failure = failure ?? diagnostic }
}

extension PathSyntax.Step.Kind {
  /// Whether a statement can take the step from one value.
  fileprivate var isOfOneValue: Bool {
    switch self {
    case .name, .index, .key, .variable: true
    case .links, .allLinks, .computed, .keys, .values, .type, .first, .last, .every, .operation:
      false
    }
  }
}

extension Resolved {
  /// Whether a name is that of a property of several objects.
  fileprivate func isOfSeveral(for step: PathSyntax.Step) -> Bool {
    guard case .name = step.kind else { return false }
    switch self {
    case .values, .results, .elements: return true
    case .collection(let collection): return !collection.isMap
    case .value, .object, .newObject, .projection: return false
    }
  }
}
