/// How a question is answered: the steps in their order, each with what was expected of it and what
/// it gave.
public struct QueryExplanation: Sendable, Equatable {
  public struct Step: Sendable, Equatable {
    public let kind: Kind
    /// What is looked up, asked or sorted by, in the words of the language.
    public let text: String
    /// How many objects were expected.
    public let estimated: Int
    /// How many there were.
    public let actual: Int
    /// Of a scan, how the blocks were answered.
    public var blocks: Blocks?
  }

  public enum Kind: String, Sendable {
    /// No object can match.
    case nothing
    /// Every object of the class.
    case all
    /// The rows of a collection.
    case rows
    case primaryKey = "primary key"
    case index
    /// Alternatives, each by an index or a link.
    case union
    /// From objects to those that link to them, or that they link to.
    case links
    /// Every block of the class.
    case scan
    /// What is left of the condition, asked of what was found.
    case filter
    case sort
    /// The first rows of a sort, the others unsorted.
    case top
    case distinct
    case limit
  }

  public struct Blocks: Sendable, Equatable {
    public let total: Int
    /// Those whose least and greatest values answer the first part of the condition.
    public let skipped: Int
  }

  public let steps: [Step]
}
