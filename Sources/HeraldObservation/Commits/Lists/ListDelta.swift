package import HeraldModel

/// The net change of one list: the new list as runs of old elements and of fresh ones.
///
/// Elements are identified by the operations, not by value: an element that is removed and inserted again
/// is fresh, an element that is moved keeps its identity. Size and time depend on the number of
/// operations, never on the length of the list.
package struct ListDelta: Sendable {
  /// A run of adjacent elements in the new list.
  package struct Piece: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
      /// Consecutive old elements, from this old index on.
      case old(Int)
      /// Elements that were not there before.
      case fresh
    }
    package var source: Source
    package var count: Int
    /// Whether an operation moved these elements.
    package var isMoved: Bool

    package init(source: Source, count: Int, isMoved: Bool = false) {
      self.source = source
      self.count = count
      self.isMoved = isMoved
    }
  }

  /// A removed old element, with the value that it had in the beginning.
  package struct RemovedElement: Sendable, Equatable {
    package var oldIndex: Int
    package var value: Value

    package init(oldIndex: Int, value: Value) {
      self.oldIndex = oldIndex
      self.value = value
    }
  }

  package let oldCount: Int
  var table: PieceTable
  /// The previous values of old elements that were replaced in newIndex, by old index.
  package var replaced: [Int: Value]
  /// The removed old elements whose values are known, unordered.
  package var taken: [RemovedElement]
  /// The objects to which the list links more or less often after one of its commits than before it. Set
  /// by `settle`.
  package var relinked: Set<ObjectID> = []
  /// The number of links to each object added, less those removed, until `settle`.
  var linkBalance: [ObjectID: Int] = [:]
  /// Whether the list differs from the list before: false for changes that cancel out.
  package var differs = true

  package init(oldCount: Int) {
    self.oldCount = oldCount
    table = PieceTable()
    if oldCount > 0 { table.insert(Piece(source: .old(0), count: oldCount), at: 0) }
    replaced = [:]
    taken = []
  }

  /// Creates a change from the log, which has no values. The pieces must name each old element at
  /// most once.
  package init(oldCount: Int, pieces: [Piece], differs: Bool) {
    self.oldCount = oldCount
    table = PieceTable()
    for piece in pieces { table.insert(piece, at: table.count) }
    replaced = [:]
    taken = []
    self.differs = differs
  }

  /// The new list, with adjacent runs joined. O(pieces).
  package var pieces: [Piece] { table.pieces }

  package var newCount: Int { table.count }

  /// Whether every old element has its old index and value.
  package var isEmpty: Bool {
    guard newCount == oldCount, replaced.isEmpty else { return false }
    var newIndex = 0
    for piece in pieces {
      guard piece.source == .old(newIndex) else { return false }
      newIndex += piece.count
    }
    return true
  }
}

extension ListDelta: Equatable {
  package static func == (a: ListDelta, b: ListDelta) -> Bool {
    a.oldCount == b.oldCount && a.differs == b.differs && a.pieces == b.pieces
      && a.replaced == b.replaced && a.taken == b.taken && a.relinked == b.relinked
  }
}
