public import HeraldModel

/// The result of repairing a damaged store.
public struct RepairReport: Hashable, Sendable {
  /// One thing that was lost, or is in the new store as it was at an earlier version.
  public struct Loss: Hashable, Sendable {
    /// Nil for the schema, or if the class is unknown.
    public let className: String?
    /// The object's primary key; nil if its class has none, or the key was lost.
    public let key: Value?
    /// The object's number; nil if the loss is not a single object.
    public let number: Int?
    /// Nil for a whole object or class.
    public let property: String?
    /// What happened, as text.
    public let reason: String

    /// Makes an entry of what was lost.
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
    /// The class whose objects lost something; nil where it is unknown.
    public let className: String?
    /// The property that lost values; nil for whole objects.
    public let property: String?
    /// How many there are.
    public let count: Int

    /// Makes a count of losses.
    public init(className: String?, property: String?, count: Int) {
      self.className = className
      self.property = property
      self.count = count
    }
  }

  /// Losses beyond this number are counted but not listed.
  public static let listLimit = 1_000_000

  /// The version that was restored; nil if it cannot be read from the file.
  public let version: Int?
  /// The number of objects in the new store.
  public let objects: Int
  /// The first losses, class by class in the order of objects; empty if nothing was lost.
  public let lost: [Loss]
  /// The counts of all losses, in the order in which they were found.
  public let counts: [Count]

  /// How many losses there are, listed or not.
  public var lossCount: Int { counts.reduce(0) { $0 + $1.count } }

  /// Makes a report.
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
    var text = className ?? "the store"
    if let key {
      text += " " + key.literal { "\($0.number)" }
    } else if let number {
      text += "#\(number)"
    }
    if let property { text += " '\(property)'" }
    return "\(text): \(reason)"
  }
}
