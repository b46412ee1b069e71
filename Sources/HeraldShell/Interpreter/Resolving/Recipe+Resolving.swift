import Herald

extension Recipe {
  /// The collection as a session has it.
  func resolved(in session: ShellSession, of shell: Interpreter) throws -> Resolved {
    let store = try shell.store(of: session)
    if let observed, observed.store === store { return .results(observed) }
    let names = Names(shell, scope, session, store, source)
    return try names.asking {
      switch origin {
      case .className(let name): return try names.rows(of: name, tail)
      case .property(let owner, let property):
        guard let object = store.object(owner.id) else {
          throw HeraldError.objectDeleted(owner.name)
        }
        let collection = try object.collection(property)
        guard let tail else { return .collection(collection) }
        return try Resolved.collection(collection).narrowed(tail, names) ?? .collection(collection)
      case .recipe(let inner):
        guard let rows = try inner.resolved(in: session, of: shell).narrowed(tail, names) else {
          throw Diagnostic.notACollection(source.text(span), found: "a value")
        }
        return rows
      }
    }
  }
}

extension Names {
  /// Calls `body`; throws the error of a variable that could not be used in its place.
  func asking<R>(_ body: () throws -> R) throws -> R {
    do {
      let answer = try body()
      if let failure { throw failure }
      return answer
    } catch { throw failure ?? error }
  }

  /// The rows of a class or of a defined query.
  func rows(of className: Name, _ tail: QueryTail?) throws -> Resolved {
    guard let tail else { return .results(try store.objects(className.text)) }
    return try asking { .results(try store.results(className.text, tail, names: self)) }
  }
}
