import HeraldEngine
import HeraldModel
import HeraldObservation

extension ObservationToken {
  /// The objects in some rows of observed results, of a list of links or of backlinks, as the
  /// observer was told last; inside its block, at the version that it is told of. Rows beyond the last
  /// are left out.
  ///
  ///     let visible = token.objects(in: 500_000..<500_040)
  ///
  /// The question is not asked again: it costs O(rows asked for · log rows). Nil before the first
  /// call of the block, after the last one, and for observers of anything else.
  public func objects(in rows: Range<Int>) -> [Object]? {
    guard let store, !store.isClosed else { return nil }
    return store.session.objects(of: id, at: rows)?.map { Object(store: store, id: $0) }
  }
}
