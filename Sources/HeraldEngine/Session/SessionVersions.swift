/// The versions that the sessions of a store are at, and the oldest of them.
///
/// Each session has a fixed index, so advancing it neither hashes nor allocates.
struct SessionVersions {
  /// A free place is at no version.
  private static let none = Int.max
  private var versions: [Int] = []
  private var free: [Int] = []
  /// The number of sessions.
  private(set) var count = 0
  /// The oldest version of a session; `Int.max` without sessions.
  private(set) var oldest = none
  /// The number of sessions at the oldest version.
  private var countAtOldest = 0

  /// Adds a session and returns its place.
  mutating func add(_ version: Int) -> Int {
    count += 1
    let place: Int
    if let last = free.popLast() {
      place = last
      versions[place] = version
    } else {
      place = versions.count
      versions.append(version)
    }
    noteEntered(version)
    return place
  }

  /// Moves a session. O(1), and O(sessions) when the last one leaves the oldest version.
  mutating func move(_ place: Int, to version: Int) {
    let old = versions[place]
    if old == version { return }
    versions[place] = version
    noteEntered(version)
    noteLeft(old)
  }

  mutating func remove(_ place: Int) {
    let old = versions[place]
    versions[place] = Self.none
    count -= 1
    free.append(place)
    noteLeft(old)
  }

  /// The invariants that do not hold. O(sessions).
  var violations: [String] {
    let held = versions.filter { $0 != Self.none }
    var found: [String] = []
    if held.count != count { found.append("there are \(held.count) sessions, not \(count)") }
    if held.min() ?? Self.none != oldest { found.append("\(oldest) is not the oldest version") }
    if held.count(where: { $0 == oldest }) != countAtOldest {
      found.append("not \(countAtOldest) sessions are at the oldest version")
    }
    return found
  }

  private mutating func noteEntered(_ version: Int) {
    if version < oldest {
      (oldest, countAtOldest) = (version, 1)
    } else if version == oldest {
      countAtOldest += 1
    }
  }

  private mutating func noteLeft(_ version: Int) {
    guard version == oldest else { return }
    countAtOldest -= 1
    guard countAtOldest == 0 else { return }
    (oldest, countAtOldest) = (Self.none, 0)
    for version in versions where version != Self.none { noteEntered(version) }
  }
}
