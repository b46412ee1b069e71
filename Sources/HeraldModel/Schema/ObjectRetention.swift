/// Which objects of a class a store keeps: those that were added last, of the age or as many as the limits allow. The others
/// expire: they are deleted by the next commit.
public struct ObjectRetention: Hashable, Sendable {
  /// How long objects are kept after they were added, in seconds, at least 1; nil for no limit.
  public var seconds: Int?
  /// How many objects are kept, at least 1; nil for no limit.
  public var count: Int?

  /// Keeps the objects that both limits allow.
  public init(seconds: Int? = nil, count: Int? = nil) {
    (self.seconds, self.count) = (seconds, count)
  }
}

extension ObjectRetention: LosslessStringConvertible {
  /// Reads a time as `LogRetention` does, a number, or both with a comma between them: `1h`, `100000`, `1h, 100000`; nil for
  /// another text.
  public init?(_ text: String) {
    self.init()
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count) else { return nil }
    for part in parts {
      switch LogRetention(String(part.drop { $0 == " " })) {
      case .seconds(let seconds)? where self.seconds == nil: self.seconds = seconds
      case .commits(let count)? where self.count == nil: self.count = count
      case .all?, .bytes?, .seconds?, .commits?, nil: return nil
      }
    }
  }

  /// The text that `init(_:)` reads.
  public var description: String {
    let time = seconds.map { LogRetention.seconds($0).description }
    return [time, count.map(String.init)].compactMap(\.self).joined(separator: ", ")
  }
}
