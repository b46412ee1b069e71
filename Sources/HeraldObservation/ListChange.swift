package import HeraldModel

/// What was done to one list, net: the new list as runs of old elements and of fresh ones.
///
/// Elements are followed by the operations done, not by value: an element removed and put in again
/// is a fresh one, an element moved stays itself. The size is that of the change, not of the list.
package struct ListChange: Sendable, Equatable {
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
  }

  package let oldCount: Int
  package private(set) var pieces: [Piece]
  /// Old elements (by old index) whose value was replaced in place, with the value before.
  package private(set) var replaced: [Int: Value]
  /// The objects that old elements linked to and that were removed or replaced: targets that may
  /// have lost a link.
  package private(set) var removedLinks: Set<ObjectID>
  /// Whether the list's value differs from the one before: false for changes that cancel out.
  package var differs = true

  package init(oldCount: Int) {
    self.oldCount = oldCount
    pieces = oldCount > 0 ? [Piece(source: .old(0), count: oldCount, isMoved: false)] : []
    replaced = [:]
    removedLinks = []
  }
}
