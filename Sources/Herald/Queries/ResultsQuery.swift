import HeraldEngine
import HeraldModel
import HeraldQuery

/// The query of results and the rows of its last run.
///
/// The query is bound to the schema at its first use, so that results that are only a step to others, or are never
/// read, cost no more than their syntax.
final class ResultsQuery {
  let core: StoreCore
  private enum Source {
    case unbound(() throws -> DynamicResults)
    case bound(DynamicResults)
    case failed(any Error)
  }

  @exclusivity(unchecked) private var source: Source
  @exclusivity(unchecked) private var binding: ClassBinding?
  /// The rows of the last run, with what they were read at.
  @exclusivity(unchecked) private var kept: (stamp: Session.ReadStamp, rows: QueryRows)?

  /// What closures that are tracked have read of it.
  @exclusivity(unchecked) var trackedSources = WeakTable<TrackedSource.Key, TrackedSource>()

  init(_ core: StoreCore, _ bind: @escaping () throws -> DynamicResults) {
    self.core = core
    source = .unbound(bind)
  }

  init(_ core: StoreCore, _ dynamic: DynamicResults) {
    self.core = core
    source = .bound(dynamic)
  }

  /// Makes it another query of the same session; nothing else may refer to it.
  func replace(by dynamic: DynamicResults) {
    source = .bound(dynamic)
    binding = nil
    if kept != nil { kept = nil }
    if trackedSources.count > 0 { trackedSources = WeakTable() }
  }

  /// Notes an observer of the rows, which then keeps them.
  func note(_ observer: TokenID) {
    guard case .bound(var dynamic) = source else { return }
    dynamic.observer = observer
    source = .bound(dynamic)
  }

  /// The query; nil where the store does not have its class and can take none: it then finds nothing. Errors: those of
  /// binding it.
  var dynamicIfAny: DynamicResults? {
    get throws {
      do {
        return try dynamic
      } catch let error as SchemaError where error.isMissingClass {
        try core.session.checkOpen()
        return nil
      }
    }
  }

  /// The query. Errors: those of binding it, at each use.
  var dynamic: DynamicResults {
    get throws {
      switch source {
      case .bound(let dynamic): return dynamic
      case .failed(let error): throw error
      case .unbound(let bind):
        do {
          let dynamic = try bind()
          source = .bound(dynamic)
          return dynamic
        } catch let error as SchemaError where error.isMissingClass {
          // A later version of the store may have it.
          throw error
        } catch {
          source = .failed(error)
          throw error
        }
      }
    }
  }

  /// The class of the objects: the type, or one that inherits from it and that the results are of. Errors: `SchemaError`.
  func binding(of type: ObjectBase.Type) throws -> ClassBinding {
    if let binding, binding.isCurrent { return binding }
    var found: ClassBinding?
    if type == DynamicObject.self {
      found = try core.binding(ofClass: dynamic.classID)
    } else if type == Object.self || type == EmbeddedObject.self {
      found = try inheriting(dynamic.classID)
    } else {
      found = try core.binding(of: type)
      let id: ClassID?
      if case .bound(let dynamic) = source {
        id = dynamic.classID
      } else {
        id = try dynamicIfAny?.classID
      }
      if let id, id != found?.classID, let other = try inheriting(id) { found = other }
    }
    let binding = try found ?? core.binding(of: type)
    self.binding = binding
    return binding
  }

  /// Returns the program's class of the objects of a class of the store; nil if it has used none.
  private func inheriting(_ id: ClassID) throws -> ClassBinding? {
    try core.session.schema.classSchema(id).flatMap { core.knownType(named: $0.name) }
      .map { try core.binding(of: $0) }
  }

  /// Whether the objects are of a class that the store can have.
  func canHave(_ type: ObjectBase.Type) -> Bool {
    do {
      _ = try binding(of: type)
      return true
    } catch {
      return (error as? SchemaError)?.isMissingClass ?? false
    }
  }

  /// The rows at present. Errors: those of the query.
  var rows: QueryRows {
    get throws {
      guard let dynamic = try dynamicIfAny else { return .numbers([]) }
      let stamp = try readStamp(dynamic)
      if let kept, kept.stamp == stamp { return kept.rows }
      let rows = try dynamic.rows()
      kept = (stamp, rows)
      return rows
    }
  }

  /// The number of rows, without an order. Errors: those of the query.
  var count: Int {
    get throws { try rowsIfKept?.count ?? dynamicIfAny?.count ?? 0 }
  }

  /// Returns the row that `index` makes of the number of rows, nil beyond these, and that number. Errors: those of the
  /// query.
  func row(_ index: (Int) -> Int) throws -> (number: ObjectNumber?, count: Int) {
    if try rowsIfKept == nil, let found = try dynamicIfAny?.keptRow(index) { return found }
    let rows = try rows
    let (row, count) = (index(rows.count), rows.count)
    return (row >= 0 && row < count ? rows[row] : nil, count)
  }

  /// The rows of the last run, if they are those at present; nil otherwise. Errors: those of the query.
  var rowsIfKept: QueryRows? {
    get throws {
      guard let kept else { return nil }
      return kept.stamp == (try readStamp(dynamic)) ? kept.rows : nil
    }
  }

  /// What the query reads, besides which objects there are, as of the session's version. Errors: `closed`.
  func readStamp(_ dynamic: DynamicResults) throws -> Session.ReadStamp {
    try core.session.checkOpen()
    return core.session.readStamp(of: dynamic.query.dependencies)
  }
}
