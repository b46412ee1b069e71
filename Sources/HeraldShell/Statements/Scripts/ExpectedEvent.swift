import Herald

/// The event that an `expect` statement describes.
enum ExpectedEvent: Equatable {
  case initial(Int)
  /// Of an observed value, as it is written; of its first event `old` is nil.
  case value(old: String?, new: String)
  case update(Rows)
  case change([Property])
  case deleted
  case changed
  case refreshRequired
  /// `name "Max" -> "Wolfie"`, of a property observer.
  case property(Property)
  /// `dogs insertion [0]`.
  case propertyRows(name: String, kind: ListChangeKind, rows: [Int])
  /// `error "the store was replaced"`.
  case error(String)

  /// Kinds that are not named are expected to be empty.
  struct Rows: Equatable {
    var sectionDeletions: [Int] = []
    var sectionInsertions: [Int] = []
    var deletions: [Row] = []
    var insertions: [Row] = []
    var modifications: [Row] = []
    var modificationsNew: [Row] = []
    var isOwnerDeleted = false
  }

  /// A row of a collection: a position, or a map's key.
  enum Row: Equatable {
    case position(Int)
    case inSection(SectionChangeSet.Position)
    case key(String)
  }

  /// A changed property; without values it matches any.
  struct Property: Equatable {
    var name: String
    var values: Values?

    struct Values: Equatable {
      var old: String
      var new: String
    }
  }
}
