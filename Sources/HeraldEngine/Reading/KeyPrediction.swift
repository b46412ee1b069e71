import HeraldModel

/// A linear prediction of the object with an integer key: keys are mostly assigned in order, so two that
/// were found lie on a line with the others. A prediction must be verified, and is made only while recent
/// ones were right.
struct KeyPrediction {
  private var key = 0
  private var number: ObjectNumber = 0
  /// The difference of keys from one number to the next; 0 until two objects were found.
  private var slope = 0
  /// Rises with each right prediction, made or not, and falls with each wrong one.
  private var trust = 0

  private static let maximumTrust = 8

  /// Returns the predicted number; nil if a prediction is not worthwhile.
  func predictedNumber(of key: Int) -> ObjectNumber? { trust > 0 ? number(on: key) : nil }

  private func number(on key: Int) -> ObjectNumber? {
    guard slope != 0 else { return nil }
    let (distance, isTooFar) = key.subtractingReportingOverflow(self.key)
    guard !isTooFar, distance.isMultiple(of: slope) else { return nil }
    let (number, isBeyond) = self.number.addingReportingOverflow(distance / slope)
    return isBeyond || number <= 0 ? nil : number
  }

  /// Records the number of the object with a key; nil if there is none.
  mutating func learn(_ key: Int, _ found: ObjectNumber?) {
    let isRight = found != nil && number(on: key) == found
    trust = isRight ? min(trust + 1, Self.maximumTrust) : max(trust - 1, 0)
    guard !isRight, trust == 0, let found else { return }
    let (distance, isTooFar) = key.subtractingReportingOverflow(self.key)
    let steps = found - number
    let isLine = !isTooFar && number > 0 && steps != 0 && distance.isMultiple(of: steps)
    slope = isLine ? distance / steps : 0
    (self.key, number) = (key, found)
  }
}
