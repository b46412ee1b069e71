import Herald

/// The numbers of the names that observers get by default, `t1`, `t2`, …: the smallest one that is free is found
/// without looking at those that are taken.
struct DefaultNumbers {
  /// No larger number was given.
  private var end = 1
  /// Smaller numbers that may be free.
  private var freed = TwoLevelBitset()

  static func name(_ number: Int) -> String { "t\(number)" }

  /// Returns the smallest number that is not taken, which it may return again.
  mutating func next(_ isTaken: (Int) -> Bool) -> Int {
    while let number = freed.first(from: 1) {
      if !isTaken(number) { return number }
      freed.remove(number)
    }
    while isTaken(end) { end += 1 }
    return end
  }

  /// Notes that a name is free, if it is a default one.
  mutating func free(_ name: String) {
    guard name.first == "t", let number = Int(name.dropFirst()), number > 0, number < end else {
      return
    }
    freed.insert(number)
  }
}
