import HeraldModel
public import HeraldObservation

/// A change of a collection with its rows as records of the program's own, which every task may keep.
public struct RecordChange<Record: Sendable>: Sendable {
  /// The rows after the change; empty for an error.
  public let rows: [Record]
  /// What changed since the element before; empty for the first element.
  public let changes: ChangeSet
  /// Whether it is the first element.
  public let isInitial: Bool
  /// Why the rows can no longer be followed or decoded; the last element then.
  public let error: (any Error)?

  /// Positions of the deleted rows in the old rows.
  public var deletions: [Int] { changes.deletions }
  /// Positions of the inserted rows in the new rows.
  public var insertions: [Int] { changes.insertions }
  /// Positions of the modified rows in the old rows.
  public var modifications: [Int] { changes.modifications }
}

extension StoredCollection where Element: ObjectBase {
  /// Returns the changes of the collection, with its rows as records of the program's own.
  ///
  ///     struct DogRecord: Decodable, Sendable { let name: String; let age: Int? }
  ///     for await change in store.objects(Dog.self).changes(as: DogRecord.self) { show(change.rows) }
  ///
  /// `keyPaths` as in `observe`. An error, in decoding too, is the `error` of the last element. Cost: each element
  /// decodes every row.
  public func changes<Record: Decodable & Sendable>(
    keyPaths: [String]? = nil, as type: Record.Type
  ) -> ObservedSequence<RecordChange<Record>> {
    ObservedSequence(of: self) { found, note in
      found.observe(keyPaths: keyPaths) { note(RecordChange($0)) }
    }
  }
}

extension RecordChange: FailableChange {
  var isLast: Bool { error != nil }

  static func error(_ error: any Error) -> RecordChange {
    RecordChange(rows: [], changes: ChangeSet(), isInitial: false, error: error)
  }
}

extension RecordChange where Record: Decodable {
  init<Collection: StoredCollection>(_ change: CollectionChange<Collection>)
  where Collection.Element: ObjectBase {
    do {
      switch change {
      case .initial(let collection):
        self.init(
          rows: try collection.decoded(as: Record.self), changes: ChangeSet(), isInitial: true,
          error: nil)
      case .update(let collection, _, _, _):
        self.init(
          rows: try collection.decoded(as: Record.self), changes: change.changes,
          isInitial: false, error: nil)
      case .error(let error): throw error
      }
    } catch {
      self = .error(error)
    }
  }
}
