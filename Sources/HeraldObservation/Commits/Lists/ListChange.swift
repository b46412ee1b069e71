package import HeraldModel

/// What was done to one list, net: the new list as runs of old elements and of fresh ones.
///
/// Elements are followed by the operations done, not by value: an element removed and put in again
/// is a fresh one, an element moved stays itself. Size and time follow the number of operations,
/// never the length of the list.
package struct ListChange: Sendable {
  /// A run of neighbours in the new list.
  package struct Piece: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
      /// Old elements, the first at this old index, in their old order.
      case old(Int)
      /// Elements that were not there before.
      case fresh
    }
    package var source: Source
    package var count: Int
    /// An operation moved these elements.
    package var isMoved: Bool

    package init(source: Source, count: Int, isMoved: Bool = false) {
      self.source = source
      self.count = count
      self.isMoved = isMoved
    }
  }

  /// An old element that was removed, and the value that it had in the beginning.
  package struct TakenElement: Sendable, Equatable {
    package var oldIndex: Int
    package var value: Value

    package init(oldIndex: Int, value: Value) {
      self.oldIndex = oldIndex
      self.value = value
    }
  }

  package let oldCount: Int
  var table: PieceTable
  /// Old elements (by old index) whose value was replaced in place, with the value before.
  package var replaced: [Int: Value]
  /// Old elements that were removed, as far as their values are known; in no order.
  package var taken: [TakenElement]
  /// The objects to which the list links more often, or less often, than before: in any one of the
  /// commits that made the change. Known when it is settled.
  package var relinked: Set<ObjectID> = []
  /// How many links to each object were added, or taken for those below nil, until it is settled.
  var linkBalance: [ObjectID: Int] = [:]
  /// Whether the list's value differs from the one before: false for changes that cancel out.
  package var differs = true

  package init(oldCount: Int) {
    self.oldCount = oldCount
    table = PieceTable()
    if oldCount > 0 { table.insert(Piece(source: .old(0), count: oldCount), at: 0) }
    replaced = [:]
    taken = []
  }

  /// A change as a change log keeps it, without what it knows of values. The pieces must name each
  /// old element at most once.
  package init(oldCount: Int, pieces: [Piece], differs: Bool) {
    self.oldCount = oldCount
    table = PieceTable()
    for piece in pieces { table.insert(piece, at: table.count) }
    replaced = [:]
    taken = []
    self.differs = differs
  }

  /// The new list, neighbouring runs joined. O(pieces).
  package var pieces: [Piece] { table.pieces }

  package var newCount: Int { table.count }

  /// Nothing to tell: every old element is where it was with the value that it had.
  package var isEmpty: Bool {
    guard newCount == oldCount, replaced.isEmpty else { return false }
    var place = 0
    for piece in pieces {
      guard piece.source == .old(place) else { return false }
      place += piece.count
    }
    return true
  }
}

extension ListChange: Equatable {
  package static func == (a: ListChange, b: ListChange) -> Bool {
    a.oldCount == b.oldCount && a.differs == b.differs && a.pieces == b.pieces
      && a.replaced == b.replaced && a.taken == b.taken && a.relinked == b.relinked
  }
}
