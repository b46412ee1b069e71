/// What a repair made of a damaged store.
public struct RepairReport: Hashable, Sendable {
  /// One thing that was lost, or is in the new store as it was at an earlier version.
  public struct Loss: Hashable, Sendable {
    /// Nil where it is the schema, or what no class is known of.
    public let className: String?
    /// The object's primary key; nil where its class has none, or it was lost.
    public let key: Value?
    /// The object's number; nil where it is no single object.
    public let number: Int?
    /// Nil where it is a whole object or class.
    public let property: String?
    /// What happened to it, in words.
    public let reason: String

    public init(
      className: String?, key: Value? = nil, number: Int? = nil, property: String? = nil,
      reason: String
    ) {
      self.className = className
      self.key = key
      self.number = number
      self.property = property
      self.reason = reason
    }
  }

  /// How many losses there are of a property, or of whole objects of a class.
  public struct Count: Hashable, Sendable {
    public let className: String?
    public let property: String?
    public let count: Int

    public init(className: String?, property: String?, count: Int) {
      self.className = className
      self.property = property
      self.count = count
    }
  }

  /// Losses beyond these are counted alone.
  public static let listLimit = 1_000_000

  /// The version that was restored; nil where the file no longer tells.
  public let version: Int?
  /// The objects of the new store.
  public let objects: Int
  /// The first of what was lost, class by class in the order of objects; empty when nothing was.
  public let lost: [Loss]
  /// Of all that was lost, in the order in which it was found.
  public let counts: [Count]

  /// How many losses there are, listed or not.
  public var lossCount: Int { counts.reduce(0) { $0 + $1.count } }

  public init(version: Int?, objects: Int, lost: [Loss], counts: [Count]) {
    self.version = version
    self.objects = objects
    self.lost = lost
    self.counts = counts
  }
}

extension RepairReport.Loss: CustomStringConvertible {
  /// `Dog 3 'name': its record is damaged`.
  public var description: String {
    var words = className ?? "the store"
    if let key {
      words += " " + key.literal { "\($0.number)" }
    } else if let number {
      words += "#\(number)"
    }
    if let property { words += " '\(property)'" }
    return "\(words): \(reason)"
  }
}
