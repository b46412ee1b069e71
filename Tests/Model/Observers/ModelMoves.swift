import HeraldModel
import HeraldObservation

/// Which of the rows that are in both collections may keep their position, the others being
/// reported as moved: rule 4.6, by trying every chain.
enum ModelMoves {
  /// The staying rows of sorted results, as indices of `newPlaces`: the largest set whose order is
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

  /// The best description of a list's moves: the most elements that can stay and, among such
  /// choices, the most of them that no operation moved.
  ///
  /// Neighbours that are still neighbours stay or go together, so they are tried as one.
  static func bestStay(_ newPlaces: [Int], isMoved: [Bool]) -> (count: Int, unmoved: Int) {
    var runs: [(first: Int, last: Int, count: Int, unmoved: Int)] = []
    for (place, moved) in zip(newPlaces, isMoved) {
      let unmoved = moved ? 0 : 1
      if let run = runs.last, run.last + 1 == place {
        runs[runs.count - 1] = (run.first, place, run.count + 1, run.unmoved + unmoved)
      } else {
        runs.append((place, place, 1, unmoved))
      }
    }
    var best: [(count: Int, unmoved: Int)] = []
    var top = (count: 0, unmoved: 0)
    for run in runs.indices {
      var longest = (count: 0, unmoved: 0)
      for earlier in 0..<run where runs[earlier].last < runs[run].first {
        if best[earlier] > longest { longest = best[earlier] }
      }
      let here = (
        count: longest.count + runs[run].count, unmoved: longest.unmoved + runs[run].unmoved
      )
      best.append(here)
      if here > top { top = here }
    }
    return top
  }
}
