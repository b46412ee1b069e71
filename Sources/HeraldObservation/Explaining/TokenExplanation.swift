/// An explanation of a token: its live view, what the view depends on, and what it has cost.
public struct TokenExplanation: Hashable, Sendable {
  /// A description of the view, one line for each part: `sorted by Dog.age`.
  public var view: [String]
  /// The names of the classes whose changes may concern the token.
  public var classes: [String]
  /// The properties whose changes may concern the token: `Dog.age`.
  public var properties: [String]
  /// The paths along which changes are followed: `Dog.owner.name`.
  public var paths: [String]
  /// The number of rows; nil for a token without rows, or before its first call.
  public var rows: Int?
  /// The size of the view in bytes, without what it shares with others.
  public var memory: Int
  /// How often the observer was called.
  public var deliveries: Int
  /// Nanoseconds spent on maintaining the view, in total; `lastNanoseconds` is the last share.
  public var nanoseconds: Int
  /// How long its last call took.
  public var lastNanoseconds: Int
  /// What it received last; nil before the first call.
  public var last: DeliverySummary?
}
