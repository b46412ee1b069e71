/// The aggregates of a collection: the table of `AggregateFunction`s.
package enum CollectionOperation: Hashable, Sendable {
  case count, sum, average, min, max, median
  case percentile(Double)
  case deviation, distinct

  /// All of them, with any argument.
  package static let all: [CollectionOperation] = [
    .count, .sum, .average, .min, .max, .median, .percentile(0.5), .deviation, .distinct,
  ]

  package var function: any AggregateFunction {
    switch self {
    case .count: CountFunction()
    case .sum: SumFunction(isAverage: false)
    case .average: SumFunction(isAverage: true)
    case .min: ExtremeFunction(isLargest: false)
    case .max: ExtremeFunction(isLargest: true)
    case .median: QuantileFunction(fraction: 0.5, word: "@median")
    case .percentile(let fraction): QuantileFunction(fraction: fraction, word: "@percentile")
    case .deviation: DeviationFunction()
    case .distinct: DistinctFunction()
    }
  }

  package var word: String { function.word }

  /// Whether a number between 0 and 1 follows the word, in parentheses.
  package var hasFraction: Bool { if case .percentile = self { true } else { false } }

  func with(fraction: Double) -> CollectionOperation { hasFraction ? .percentile(fraction) : self }

  /// The aggregate with a word.
  init?(word: String) {
    guard let found = Self.all.first(where: { $0.word == word }) else { return nil }
    self = found
  }
}

extension CollectionOperation: CustomStringConvertible {
  /// The text, with the argument.
  package var description: String {
    if case .percentile(let fraction) = self { "\(word)(\(fraction))" } else { word }
  }
}
