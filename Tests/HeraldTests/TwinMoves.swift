import Herald

/// Which of the rows that are in both collections may stay where they are, the others being told
/// as moved: rule 4.6, by trying every chain.
enum TwinMoves {
  /// The staying rows of sorted results, as places in `newPlaces`: the largest set whose order is
  /// the same before and after and that holds every row of `isFixed`; among equally large ones the
  /// one with the lowest old positions.
  ///
  /// `newPlaces` are the new positions of the rows in both, in their old order.
  static func staying(_ newPlaces: [Int], isFixed: [Bool]) -> [Int] {
    let candidates = newPlaces.indices.filter { row in
      newPlaces.indices.allSatisfy { other in
        !isFixed[other] || other == row || (other < row) == (newPlaces[other] < newPlaces[row])
      }
    }
    var chain = [Int](repeating: 1, count: candidates.count)
    for place in candidates.indices.reversed() {
      for later in (place + 1)..<max(candidates.count, place + 1)
      where newPlaces[candidates[later]] > newPlaces[candidates[place]] {
        chain[place] = max(chain[place], 1 + chain[later])
      }
    }
    var wanted = chain.max() ?? 0
    var last = -1
    var stay: [Int] = []
    for place in candidates.indices
    where wanted > 0 && chain[place] == wanted && newPlaces[candidates[place]] > last {
      stay.append(candidates[place])
      last = newPlaces[candidates[place]]
      wanted -= 1
    }
    return stay
  }

  /// The best that a list's moves can be told with: the most elements that can stay and, among such
  /// choices, the most of them that no operation moved.
  static func bestStay(_ newPlaces: [Int], isMoved: [Bool]) -> (count: Int, unmoved: Int) {
    var best: [(count: Int, unmoved: Int)] = []
    var top = (count: 0, unmoved: 0)
    for row in newPlaces.indices {
      var longest = (count: 0, unmoved: 0)
      for earlier in 0..<row where newPlaces[earlier] < newPlaces[row] {
        if best[earlier] > longest { longest = best[earlier] }
      }
      let here = (count: longest.count + 1, unmoved: longest.unmoved + (isMoved[row] ? 0 : 1))
      best.append(here)
      if here > top { top = here }
    }
    return top
  }
}
