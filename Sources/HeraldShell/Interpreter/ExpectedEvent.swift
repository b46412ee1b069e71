import Herald

/// The event that an `expect` statement describes.
enum ExpectedEvent: Equatable {
  case initial(Int)
  case update(Rows)
  case change([Property])
  case deleted
  case changed
  case refreshRequired

  /// Kinds that are not named are expected to be empty.
  struct Rows: Equatable {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []
    var modificationsNew: [Int] = []
    var isOwnerDeleted = false
  }

  /// A changed property; without values, any values will do.
  struct Property: Equatable {
    var name: String
    var values: Values?

    struct Values: Equatable {
      var old: String
      var new: String
    }
  }
}
