/// What stands behind a token: its view, what that depends on, and what it has cost.
public struct TokenExplanation: Hashable, Sendable {
  /// What is kept up to date, a line for each part: `sorted by Dog.age: …`.
  public var view: [String]
  /// The classes of which a change may concern it.
  public var classes: [String]
  /// The properties whose change may concern it: `Dog.age`.
  public var properties: [String]
  /// The ways along which they are found: `Dog.owner.name`.
  public var paths: [String]
  /// Nil for what has no rows.
  public var rows: Int?
  /// Bytes of the view, without what is shared with others.
  public var memory: Int
  public var deliveries: Int
  /// Nanoseconds spent on bringing it up to date, in all and the last time.
  public var nanoseconds: Int
  public var lastNanoseconds: Int
  public var last: Telling?
}
