import HeraldEngine
package import HeraldModel

extension ObservationToken {
  /// Returns the objects in some rows of observed results, of a list of links or of backlinks, as of the
  /// last delivery or, in the observer's block, of the current one. Rows beyond the last are left out.
  ///
  ///     let visible = token.objects(in: 500_000..<500_040)
  ///
  /// O(requested rows · log rows): the query is not run again. Nil before the first call of the block,
  /// after the last one, and for observers of anything else.
  package func objects(in rows: Range<Int>) -> [ObjectHandle]? {
    guard let store, !store.isClosed else { return nil }
    return store.session.objects(of: id, at: rows)?.map { ObjectHandle(store: store, id: $0) }
  }

  /// Returns the values of some observed groups, each in the order of `names`, as of the last delivery or, in the
  /// observer's block, of the current one. Rows beyond the last are left out.
  ///
  /// O(requested rows · log rows): the query is not run again. Nil before the first call of the block, after the last
  /// one, and for observers of anything else.
  package func groups(in rows: Range<Int>) -> [[Value]]? {
    guard let store, !store.isClosed else { return nil }
    return store.session.groups(of: id, at: rows)
  }

  /// Returns the values in some rows of an observed list nested in a value of any type, at the session's
  /// version: in the observer's block, that of the current delivery. Rows beyond the last are left out.
  ///
  /// O(requested rows · log rows). Nil before the first call of the block, after the last one, and for
  /// observers of anything else.
  package func values(in rows: Range<Int>) -> [Value]? {
    guard let store, !store.isClosed else { return nil }
    return store.session.values(of: id, at: rows)
  }

  /// Returns the value of a key of an observed map nested in a value of any type, at the session's version.
  /// O(log n). Nil where the key is absent, and in the cases of `values(in:)`.
  package func value(forKey key: String) -> Value? {
    guard let store, !store.isClosed else { return nil }
    return store.session.value(of: id, forKey: key)
  }

  /// Calls a block with the change that each silent transaction (`write(without:)`) withholds from an
  /// observer of rows, at its commit, for programs that keep a copy of the rows. The block may only read.
  package func onSilenced(_ block: @escaping (DynamicCollectionChange) -> Void) {
    guard let store, !store.isClosed else { return }
    store.session.observatory.onSilenced(id) { report in report.collectionChange.map(block) }
  }
}
