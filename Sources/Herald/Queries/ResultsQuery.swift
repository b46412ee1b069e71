import HeraldEngine
import HeraldModel
import HeraldQuery

/// The query of results and the rows of its last run.
///
/// The query is bound to the schema at its first use, so that results that are only a step to others, or are never
/// read, cost no more than their syntax.
final class ResultsQuery {
  let core: StoreCore
  private var make: (() throws -> DynamicResults)?
  private var made: Result<DynamicResults, any Error>?
  private var binding: ClassBinding?
  private var stamp: Session.ReadStamp?
  private var keptRows = QueryRows.numbers([])

  init(_ core: StoreCore, _ make: @escaping () throws -> DynamicResults) {
    self.core = core
    self.make = make
  }

  init(_ core: StoreCore, _ dynamic: DynamicResults) {
    self.core = core
    made = .success(dynamic)
  }

  /// The query. Errors: those of binding it, at each use.
  var dynamic: DynamicResults {
    get throws {
      if let made { return try made.get() }
      let made = Result { [make] in
        guard let make else { throw HeraldError.closed }
        return try make()
      }
      (self.made, make) = (made, nil)
      return try made.get()
    }
  }

  /// The class of the objects. Errors: `SchemaError`.
  func binding(of type: ObjectBase.Type) throws -> ClassBinding {
    if let binding { return binding }
    let found = try core.binding(of: type)
    binding = found
    return found
  }

  /// The rows at present. Errors: those of the query.
  var rows: QueryRows {
    get throws {
      let dynamic = try dynamic
      let present = try readStamp(dynamic)
      if stamp == present { return keptRows }
      keptRows = try dynamic.rows()
      stamp = present
      return keptRows
    }
  }

  /// The rows of the last run, if they are those at present; nil otherwise. Errors: those of the query.
  var rowsIfKept: QueryRows? {
    get throws {
      guard let stamp else { return nil }
      return stamp == (try readStamp(dynamic)) ? keptRows : nil
    }
  }

  /// What the query reads, besides which objects there are, as of the session's version. Errors: `closed`.
  private func readStamp(_ dynamic: DynamicResults) throws -> Session.ReadStamp {
    try core.session.checkOpen()
    return core.session.readStamp(of: dynamic.query.dependencies)
  }
}
