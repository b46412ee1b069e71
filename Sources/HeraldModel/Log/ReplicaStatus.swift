/// How a store follows the stream of commits that it shares with other machines.
public struct ReplicaStatus: Hashable, Sendable {
  /// The name of the stream.
  public var stream: String
  /// Whether the servers can be reached; while they cannot, writing fails.
  public var isConnected: Bool
  /// The number of commits of the stream that the store lacks. While the servers cannot be reached: as of the last
  /// contact, with the commits of one message counted as one.
  public var lag: Int
  /// The seconds since the store was at the stream's last commit; 0 if it is.
  public var lagSeconds: Double
  /// The last error, until it is resolved.
  public var lastError: String?
  /// The number of commits that the store has and the stream has lost; while there are some, writing fails, and
  /// `herald replicate` puts them back.
  public var ahead: Int
  /// What the stream's servers promise less than is needed for a commit to outlast a loss of power, as far as that can be
  /// seen: one sentence each, as of opening.
  public var warnings: [String]

  package init(
    stream: String, isConnected: Bool, lag: Int, lagSeconds: Double, lastError: String?,
    ahead: Int, warnings: [String]
  ) {
    self.stream = stream
    self.isConnected = isConnected
    self.lag = lag
    self.lagSeconds = lagSeconds
    self.lastError = lastError
    self.ahead = ahead
    self.warnings = warnings
  }
}
