package import HeraldModel

/// A set of the numbers of rows: one bit for each number up to the largest, in parts of which those without numbers take
/// no memory; negative numbers apart.
package struct RowNumbers: Sendable {
  private static let wordsOfPart = 1_024
  private var parts: [[UInt64]] = []
  private var negative: Set<ObjectNumber> = []

  package init(_ numbers: some Sequence<ObjectNumber>) {
    for number in numbers { insert(number) }
  }

  /// O(1).
  package func contains(_ number: ObjectNumber) -> Bool {
    if number < 0 { return negative.contains(number) }
    let (part, word) = Self.place(of: number)
    return part < parts.count && !parts[part].isEmpty
      && parts[part][word] & (1 << UInt64(number & 63)) != 0
  }

  package mutating func insert(_ number: ObjectNumber) {
    if number < 0 {
      negative.insert(number)
      return
    }
    let (part, word) = Self.place(of: number)
    while parts.count <= part { parts.append([]) }
    if parts[part].isEmpty { parts[part] = [UInt64](repeating: 0, count: Self.wordsOfPart) }
    parts[part][word] |= 1 << UInt64(number & 63)
  }

  private static func place(of number: ObjectNumber) -> (part: Int, word: Int) {
    (number / 64 / wordsOfPart, number / 64 % wordsOfPart)
  }
}
