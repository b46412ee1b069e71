/// How a query is executed: the steps in order, each with its estimated and actual number of objects.
public struct QueryExplanation: Sendable, Equatable {
  /// One step of running the query.
  public struct Step: Sendable, Equatable {
    /// What the step does.
    public let kind: Kind
    /// The condition, sort keys or class of the step, as written in the language.
    public let text: String
    /// The estimated number of objects.
    public let estimated: Int
    /// The actual number of objects.
    public let actual: Int
    /// For a scan, how many blocks were read.
    public var blocks: Blocks?
  }

  /// What a step does.
  public enum Kind: String, Sendable {
    /// No object can match.
    case nothing
    /// Every object of the class.
    case all
    /// The rows of a collection.
    case rows
    /// Finds an object by its primary key.
    case primaryKey = "primary key"
    /// Finds objects by the index of a property.
    case index
    /// Alternatives, each found by an index or a link.
    case union
    /// Links followed from objects, backward or forward.
    case links
    /// Every block of the class.
    case scan
    /// The rest of the condition, evaluated for the objects found.
    case filter
    /// Sorts the rows.
    case sort
    /// The first rows of a sort, without sorting the others.
    case top
    /// Leaves out rows with equal values.
    case distinct
    /// Takes the first rows.
    case limit
    /// Leaves out the first rows.
    case offset
  }

  /// The blocks of a scan.
  public struct Blocks: Sendable, Equatable {
    /// The number of blocks of the class.
    public let total: Int
    /// The blocks whose smallest and largest values decide the first part of the condition.
    public let skipped: Int
  }

  /// The steps, in order.
  public let steps: [Step]
}
