package import HeraldModel
package import HeraldObservation

/// The event delivered to a token, with what its block read.
package enum ModelEvent: Codable {
  case changed
  case refreshRequired
  /// A change, with the object at that moment; nil after its deletion.
  case change([ModelPropertyChange], ModelReading?)
  case deleted
  case initial(count: Int, ModelRows)
  case update(ModelRowChanges, ownerDeleted: Bool, ModelRows)
  case mapUpdate(ModelKeyChanges, ownerDeleted: Bool, ModelRows)
  case assigned(property: String, ModelAssignment)
  case invalidated
}

/// The event of a property observer.
package enum ModelAssignment: Codable, Equatable {
  case value(old: Value, new: Value)
  case insertion([Int])
  case removal([Int])
  case replacement([Int])
  case setting

  package init(_ kind: ListChangeKind, _ rows: [Int]) {
    self =
      switch kind {
      case .insertion: .insertion(rows)
      case .removal: .removal(rows)
      case .replacement: .replacement(rows)
      case .setting: .setting
      }
  }
}

/// The rows of a collection, with the keys of a map.
package struct ModelRows: Codable, Equatable {
  package var values: [Value]
  package var keys: [String]

  package init(_ values: [Value], keys: [String] = []) {
    self.values = values
    self.keys = keys
  }
}

package struct ModelPropertyChange: Codable {
  package var name: String
  package var hasValues: Bool
  package var old: Value
  package var new: Value

  package init(_ change: DynamicPropertyChange) {
    (name, hasValues, old, new) = (change.name, change.hasValues, change.old, change.new)
  }
}

package struct ModelRowChanges: Codable {
  private var deletions: [Int]
  private var insertions: [Int]
  private var modifications: [Int]
  private var modificationsNew: [Int]
  /// Pairs of old and new index.
  private var moves: [[Int]]

  package init(_ changes: ChangeSet) {
    (deletions, insertions) = (changes.deletions, changes.insertions)
    (modifications, modificationsNew) = (changes.modifications, changes.modificationsNew)
    moves = changes.moves.map { [$0.old, $0.new] }
  }

  package var changeSet: ChangeSet {
    var changes = ChangeSet()
    (changes.deletions, changes.insertions) = (deletions, insertions)
    (changes.modifications, changes.modificationsNew) = (modifications, modificationsNew)
    changes.moves = moves.map { ChangeSet.Move(old: $0[0], new: $0[1]) }
    return changes
  }
}

package struct ModelKeyChanges: Codable, Equatable {
  package var deletions: [String]
  package var insertions: [String]
  package var modifications: [String]

  package init(deletions: [String], insertions: [String], modifications: [String]) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
