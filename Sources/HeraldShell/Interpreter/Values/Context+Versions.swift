import Herald

/// Versions of the past.
extension Context {
  func storeOutsideTransaction(_ statement: String) throws -> DynamicStore {
    let store = try self.store
    if store.isInWrite { throw Diagnostic.ownTransaction(statement) }
    return store
  }

  /// The context at the version that a statement names; the same without one.
  func asOf(_ version: VersionSyntax?) throws -> Context {
    try version.map { past(try store(at: $0)) } ?? self
  }

  /// Returns what `body` makes of the query in the context of the version that it names; nil for a query of the present.
  /// What else belongs to the query must be read there, too: variables of objects and queries are those of that version.
  func atVersion<R>(
    of query: QuerySyntax, _ body: (Context, _ query: QuerySyntax) throws -> R
  ) throws -> R? {
    guard let version = query.version else { return nil }
    var present = query
    present.version = nil
    let past = self.past(try store(at: version))
    do {
      return try body(past, present)
    } catch let failure as ShellError { throw failure.at(try past.store.version) }
  }

  /// The store at the version that a query names.
  func store(at version: VersionSyntax) throws -> DynamicStore {
    switch version {
    case .at(let expression):
      let number = try self.version(expression)
      return try locating(expression.span) {
        shell.interruptible(try self.store.frozen(at: number))
      }
    case .frozen(let name):
      if case .version(let store)? = locals[name.text] ?? shell.variables[name.text] {
        return store
      }
      let resolved = try resolve(
        ExpressionSyntax(
          .path(PathSyntax(start: .variable(name.text), startSpan: name.span, span: name.span)),
          name.span))
      guard let store = resolved.store, store.isFrozen else {
        throw failure(.expected("a frozen version", found: "'$\(name.text)'"), at: name.span)
      }
      return store
    }
  }

  /// The version that an expression means: a number, a number of commits back, or a time.
  func version(_ expression: ExpressionSyntax) throws -> Int {
    let store = try self.store
    do {
      switch try resolve(expression) {
      case .value(.int(let number)):
        if number >= 0 { return number }
        guard store.version + number >= 0 else {
          throw HeraldError.noSuchVersion(number, newest: store.version)
        }
        return store.version + number
      case .value(.string(let text)):
        guard let time = Timestamp(literal: text) else { break }
        return try store.version(at: time)
      case .value(.date(let time)): return try store.version(at: time)
      case .value, .values, .object, .newObject, .collection, .results, .elements, .projection:
        break
      }
    } catch { throw located(error, source, expression.span) }
    throw expected("a version or a time", at: expression.span)
  }
}
