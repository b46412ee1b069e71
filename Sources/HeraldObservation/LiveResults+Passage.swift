import HeraldModel

extension LiveResults {
  /// What several commits together did to the rows that the predicate lets in.
  struct Passage {
    let versions: ClosedRange<Int>
    /// Objects of which a row was let in and is not any more.
    let left: Set<ObjectNumber>
    /// Rows that are let in and were not.
    let came: Set<Int>
    /// Rows that came to the collection.
    let joined: Set<Int>

    /// Nil for what one commit did. To be made before the rows are brought up to date.
    init?(_ record: CommitRecord, _ delta: RowDelta, joined: Set<Int>, _ order: RowOrder) {
      guard record.firstVersion < record.lastVersion else { return nil }
      versions = record.firstVersion...record.lastVersion
      let (removed, added) = (Set(delta.removed), Set(delta.added))
      left = Set(removed.subtracting(added).map(order.object(of:)))
      came = added.subtracting(removed)
      self.joined = joined
    }
  }

  /// Whether the predicate held for an object before the commits that were told last; nil where that is
  /// not known, since it stood in no row that is left.
  func matched(_ number: ObjectNumber, before passage: Passage) -> Bool? {
    if passage.left.contains(number) { return true }
    guard let collection = view.collection else {
      return view.holds(number) && !passage.came.contains(number)
    }
    return collection.rows(of: number).first { !passage.joined.contains($0) }
      .map { view.holds($0) && !passage.came.contains($0) }
  }
}
