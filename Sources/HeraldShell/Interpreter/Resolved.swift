import Herald

/// What a place or an expression leads to, in one session.
enum Resolved {
  case value(Value)
  case values([Value])
  case object(Object)
  case newObject(NewObject)
  case collection(LiveCollection)
  case results(Results)
  case projection(Projection)

  /// For complaints: what it is.
  var kind: String {
    switch self {
    case .value(.null): "nil"
    case .value(.list), .values: "a list of values"
    case .value(.map): "a map of values"
    case .value: "a value"
    case .object, .newObject: "an object"
    case .collection(let collection): collection.kind
    case .results: "a collection"
    case .projection: "a projection"
    }
  }
}

extension LiveCollection {
  /// For complaints: what it is.
  var kind: String {
    switch property.type.shape {
    case .single: "a value"
    case .list: "a list"
    case .set: "a set"
    case .map: "a map"
    case .backlinks: "a collection of backlinks"
    }
  }

  var isMap: Bool { property.type.shape == .map }

  /// A map's values by their keys.
  var entries: MapEntries {
    MapEntries(zip(keys, values))
  }
}

/// What an expression's names mean to the query language.
final class Names: QueryNames {
  private let interpreter: Interpreter
  private let scope: Scope
  private let session: Session
  let store: Store
  /// The store of the frozen variables that were named; nil without any.
  private(set) var frozenStore: Store?
  /// What was wrong with a variable that does exist: told in place of the query language's error.
  private(set) var failure: Complaint?

  init(_ interpreter: Interpreter, _ scope: Scope, _ session: Session, _ store: Store) {
    self.interpreter = interpreter
    self.scope = scope
    self.session = session
    self.store = store
  }

  var variableNames: [String] { scope.names }

  func variable(_ name: String) -> QueryOperand? {
    guard let variable = scope[name] else { return nil }
    // A question is asked at one version.
    if store.isFrozen, variable.isLive { fail(.library(.wrongSession)) }
    switch variable {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .object(let object): return .value(.link(held(object, name)))
    case .newObject(let object):
      guard let added = object.added else {
        fail(.library(.objectNotAdded("$" + name)))
        return .value(.null)
      }
      return .value(.link(added.id))
    case .projection(_, let object): return .value(.link(held(object, name)))
    case .collection(let recipe): return operand(recipe)
    case .frozen(let resolved):
      frozenStore = resolved.store
      if resolved.store !== store { fail(.library(.wrongSession)) }
      return (try? operand(resolved)) ?? .value(.null)
    }
  }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    try store.object(className, key: key)?.id
  }

  func projection(_ name: String) -> ProjectionDefinition? {
    switch scope[name] {
    case .projection(let projection, _)?: store.schema.projection(named: projection)
    case .frozen(.projection(let frozen))?: store.schema.projection(named: frozen.name)
    case .value?, .values?, .object?, .newObject?, .collection?, .frozen?, nil: nil
    }
  }

  private func operand(_ recipe: Recipe) -> QueryOperand {
    do {
      return try operand(interpreter.resolve(recipe, session))
    } catch {
      fail(placed(error, recipe.source, recipe.span).complaint)
      return .value(.null)
    }
  }

  private func operand(_ resolved: Resolved) throws -> QueryOperand {
    switch resolved {
    case .results(let results):
      return .objects(classID: results.classID, try results.objects.map(\.id.number))
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
    case .value, .values, .newObject: return .value(.null)
    }
  }

  private func held(_ object: HeldObject, _ name: String) -> ObjectID {
    if store.object(object.id) == nil {
      fail(.goneVariable(name, of: object.name, session: session.name))
    }
    return object.id
  }

  private func fail(_ complaint: Complaint) { failure = failure ?? complaint }
}

extension Variable {
  /// Whether it means an object or a collection of the present.
  fileprivate var isLive: Bool {
    switch self {
    case .object, .collection, .projection, .newObject: true
    case .value, .values, .frozen: false
    }
  }
}
