import HeraldModel

/// Where the object with an integer key probably stands: keys are mostly given out in order, so that
/// two that were found lie on a line with the others. What the line says must be looked at; it is
/// asked only while it has lately been right.
struct KeyLine {
  private var key = 0
  private var number: ObjectNumber = 0
  /// Keys from one number to the next; 0 until two objects were found.
  private var slope = 0
  /// Rises with what the line said rightly, also unasked, and falls with what it said wrongly.
  private var trust = 0

  private static let highestTrust = 8

  /// The number where to look; nil where that is not worth it.
  func likelyNumber(of key: Int) -> ObjectNumber? { trust > 0 ? number(on: key) : nil }

  private func number(on key: Int) -> ObjectNumber? {
    guard slope != 0 else { return nil }
    let (distance, isTooFar) = key.subtractingReportingOverflow(self.key)
    guard !isTooFar, distance.isMultiple(of: slope) else { return nil }
    let (number, isBeyond) = self.number.addingReportingOverflow(distance / slope)
    return isBeyond || number <= 0 ? nil : number
  }

  /// Learns where the object with a key was found; nil for nowhere.
  mutating func learn(_ key: Int, _ found: ObjectNumber?) {
    let isRight = found != nil && number(on: key) == found
    trust = isRight ? min(trust + 1, Self.highestTrust) : max(trust - 1, 0)
    guard !isRight, trust == 0, let found else { return }
    let (distance, isTooFar) = key.subtractingReportingOverflow(self.key)
    let steps = found - number
    let isLine = !isTooFar && number > 0 && steps != 0 && distance.isMultiple(of: steps)
    slope = isLine ? distance / steps : 0
    (self.key, number) = (key, found)
  }
}
