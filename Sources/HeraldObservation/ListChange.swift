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

  package let oldCount: Int
  var table: PieceTable
  /// Old elements (by old index) whose value was replaced in place, with the value before.
  package internal(set) var replaced: [Int: Value]
  /// The objects that removed old elements linked to, and how many of those did.
  package var takenLinks: [ObjectID: Int]
  /// Whether several commits made the change, whose elements came and went in between.
  var isComposed = false
  /// Whether the list's value differs from the one before: false for changes that cancel out.
  package var differs = true

  package init(oldCount: Int) {
    self.oldCount = oldCount
    table = PieceTable()
    if oldCount > 0 { table.insert(Piece(source: .old(0), count: oldCount), at: 0) }
    replaced = [:]
    takenLinks = [:]
  }

  /// A change as a change log keeps it. The pieces must name each old element at most once.
  package init(
    oldCount: Int, pieces: [Piece], replaced: [Int: Value], takenLinks: [ObjectID: Int],
    differs: Bool
  ) {
    self.oldCount = oldCount
    table = PieceTable()
    for piece in pieces { table.insert(piece, at: table.count) }
    self.replaced = replaced
    self.takenLinks = takenLinks
    self.differs = differs
  }

  /// The new list, neighbouring runs joined. O(pieces).
  package var pieces: [Piece] { table.pieces }

  package var newCount: Int { table.count }

  /// The objects that old elements linked to and that were removed or replaced: targets that may
  /// have lost a link.
  package var removedLinks: Set<ObjectID> { Set(lostLinks.keys) }

  /// The same, and how many of these elements linked to each.
  var lostLinks: [ObjectID: Int] {
    var links = takenLinks
    for value in replaced.values { value.forEachLink { links[$0, default: 0] += 1 } }
    return links
  }

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
      && a.replaced == b.replaced && a.takenLinks == b.takenLinks
  }
}
