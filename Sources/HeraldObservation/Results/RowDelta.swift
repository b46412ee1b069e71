import HeraldModel

/// The rows that leave the elements of a collection or a stage of results, and those that enter it; a row
/// whose position may have changed does both.
struct RowDelta {
  var removed: [ObjectNumber] = []
  var added: [ObjectNumber] = []
  /// The rows that keep their object and have another position in their collection. Of elements, these
  /// are neither removed nor added.
  var displaced: Set<ObjectNumber> = []

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  /// The only row that leaves or enters; nil where there are more, or none.
  var only: ObjectNumber? { removed.count + added.count == 1 ? removed.first ?? added.first : nil }
}
