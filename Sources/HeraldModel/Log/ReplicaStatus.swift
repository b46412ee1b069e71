/// How a store follows the stream of commits that it shares with other machines.
public struct ReplicaStatus: Hashable, Sendable {
  /// The name of the stream.
  public var stream: String
  /// Whether the servers can be reached; only then can be written.
  public var isConnected: Bool
  /// How many commits the stream has that the store has not; as of the last time that the servers were reached.
  public var lag: Int
  /// For how many seconds the store has not been at the stream's last commit; 0 if it is.
  public var lagSeconds: Double
  /// What went wrong last, if that is not over.
  public var lastError: String?

  package init(
    stream: String, isConnected: Bool, lag: Int, lagSeconds: Double, lastError: String?
  ) {
    self.stream = stream
    self.isConnected = isConnected
    self.lag = lag
    self.lagSeconds = lagSeconds
    self.lastError = lastError
  }
}
