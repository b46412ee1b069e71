import HeraldEngine
public import HeraldModel
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

  /// The values in some rows of an observed list inside a value of any type, as the observer was told
  /// last; inside its block, at the version that it is told of. Rows beyond the last are left out.
  ///
  /// It costs O(rows asked for), where reading the list costs its length. Nil before the first call of
  /// the block, after the last one, and for observers of anything else.
  public func values(in rows: Range<Int>) -> [Value]? {
    guard let store, !store.isClosed else { return nil }
    return store.session.values(of: id, at: rows)
  }

  /// The value of a key of an observed map inside a value of any type, likewise.
  public func value(forKey key: String) -> Value? {
    guard let store, !store.isClosed else { return nil }
    return store.session.value(of: id, forKey: key)
  }

  /// Has a block called with what each silent write keeps from an observer of rows (`write(without:)`),
  /// at its commit: for whoever follows the rows all the same. The block may read and nothing else.
  public func onSilenced(_ block: @escaping (CollectionChange) -> Void) {
    guard let store, !store.isClosed else { return }
    store.session.onSilenced(id) { report in report.collectionChange.map(block) }
  }
}
