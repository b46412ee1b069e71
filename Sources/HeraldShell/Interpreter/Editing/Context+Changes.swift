import Herald

extension Context {
  /// Calls `body` in the session's open transaction, or in one of its own.
  func change<R>(_ body: (DynamicStore) throws -> R) throws -> R {
    let store = try self.store
    if store.isInWrite {
      do {
        return try partOfWrite(session, store, body)
      } catch {
        shell.endWrite(of: session, store, stoppedBy: error)
        throw error
      }
    }
    guard shell.isAutocommitting else { throw HeraldError.notInWrite }
    return try shell.naming(session) {
      try store.write(waiting: false) { try partOfWrite(session, store, body) }
    }
  }

  /// In a transaction that stays open, nested objects that literals added are removed if `body` fails.
  private func partOfWrite<R>(
    _ session: ShellSession, _ store: DynamicStore, _ body: (DynamicStore) throws -> R
  ) throws -> R {
    let before = session.addedNested.count
    session.changesRunning += 1
    defer {
      session.changesRunning -= 1
      session.addedNested.removeLast(session.addedNested.count - before)
    }
    do {
      return try body(store)
    } catch {
      if !shell.isInterruption(error) {
        for object in session.addedNested[before...].reversed() where object.isValid {
          try? store.delete(object)
        }
      }
      throw error
    }
  }

  /// Calls `body` in a transaction, unless the object is not in a store, which needs none.
  func changeUnlessNew(_ path: PathSyntax, _ body: () throws -> Void) throws {
    if newObject(path) != nil { return try body() }
    try change { _ in try body() }
  }

  /// The object at the beginning of a path, while it is not in a store.
  func newObject(_ path: PathSyntax) -> NewObject? {
    guard case .variable(let name) = path.start,
      case .newObject(let new)? = locals[name] ?? shell.variables[name],
      new.added == nil
    else { return nil }
    return new
  }

  /// The nested list or map in an `any` at the end of a path; nil if there is none, or it is not in a store.
  func nested(_ path: PathSyntax) throws -> LiveCollection? {
    guard !path.steps.isEmpty, newObject(path) == nil else { return nil }
    let target = try AssignmentTarget.at(path, self)
    return try target.holder.nested(target.nestedSteps[...])
  }

  /// Asks at a prompt whether to delete very many objects; true elsewhere.
  func isDeletionWanted(_ results: DynamicResults, _ question: (Int) -> String) throws -> Bool {
    guard let confirms = shell.options.confirms, isTopLevel, shell.filesBeingRead.isEmpty,
      try results.count > Self.deletionLimit
    else { return true }
    shell.output.flush()
    return confirms(question(try results.count))
  }

  /// The number of objects that a statement deletes without a question.
  private static let deletionLimit = 1_000

  /// The objects of a class, a collection or a single object.
  func objects(_ query: QuerySyntax) throws -> [ObjectHandle] {
    let resolved = try resolve(query)
    let values: [Value]
    switch resolved {
    case .object(let object): return [object]
    case .results(let results): return try results.objects
    case .collection(let collection): values = collection.values
    case .values(let given): values = given
    case .elements(let elements): values = try elements.values
    case .projection(let projection): return [projection.object]
    case .newObject:
      let what = source.text(query.span)
      throw failure(.library(.objectNotAdded(what)), at: query.span)
    case .value:
      let what = source.text(query.span)
      throw failure(.notAnObject(what, found: resolved.kind), at: query.span)
    }
    return try values.map { value in
      guard case .object(let object) = try element(value) else {
        let what = source.text(query.span)
        throw failure(.notAnObject(what, found: "a list of values"), at: query.span)
      }
      return object
    }
  }

  /// Reports errors of the library at the value that they are about, or else at `span`.
  func at<R>(
    _ span: SourceSpan, giving values: [ExpressionSyntax],
    _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch let error as HeraldError {
      let position = error.span(inGiven: values, source) ?? span
      throw failure(.library(error), at: position)
    }
  }

  /// Reports errors of the library at `span`.
  func at<R>(_ span: SourceSpan, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as HeraldError { throw failure(.library(error), at: span) }
  }
}
