/// How much of its log a store keeps: the newest commits, as many as the limit allows.
public enum LogRetention: Hashable, Sendable {
  /// Every commit, from the first on.
  case all
  /// A number of commits, at least 1.
  case commits(Int)
  /// The commits whose records have this size together, in bytes; one more if it is larger.
  case bytes(Int)
  /// The commits of the last seconds.
  case seconds(Int)

  /// What a store keeps if nothing else was set: 64 MB.
  public static let standard = LogRetention.bytes(64_000_000)
}

extension LogRetention: LosslessStringConvertible {
  private static let sizes: [(name: String, size: Int)] = [
    ("KB", 1_000), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
  ]
  private static let times: [(name: String, size: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// Reads `2w`, `7d`, `12h`, `30m`, `90s`, `500kB`, `64MB`, `1GB`, `1TB`, `10000` or `all`; nil for another text.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if let count = Int(text), text.first?.isNumber == true {
      guard count > 0 else { return nil }
      self = .commits(count)
    } else if let bytes = Self.amount(text, Self.sizes) {
      self = .bytes(bytes)
    } else if let seconds = Self.amount(text, Self.times) {
      self = .seconds(seconds)
    } else {
      return nil
    }
  }

  private static func amount(_ text: String, _ units: [(name: String, size: Int)]) -> Int? {
    for (unit, size) in units where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count > 0
      else { continue }
      let (amount, overflow) = count.multipliedReportingOverflow(by: size)
      return overflow ? nil : amount
    }
    return nil
  }

  /// The text that `init(_:)` reads.
  public var description: String {
    switch self {
    case .all: "all"
    case .commits(let count): "\(count)"
    case .bytes(let bytes): Self.text(bytes, Self.sizes.dropFirst().reversed())
    case .seconds(let seconds): Self.text(seconds, Self.times.dropFirst())
    }
  }

  private static func text(
    _ amount: Int, _ units: some Sequence<(name: String, size: Int)>
  ) -> String {
    for (unit, size) in units where amount % size == 0 { return "\(amount / size)\(unit)" }
    return "\(amount)"
  }
}
