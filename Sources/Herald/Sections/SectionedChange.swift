public import HeraldObservation

/// The position of a row in sectioned results: that of its section, and that within it.
public typealias SectionPosition = SectionChangeSet.Position

/// What an observer of sectioned results receives, or of one section.
///
///     switch change {
///     case .initial(let breeds): reload(breeds)
///     case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
///       delete(deletions); delete(sections: deleted); insert(sections: inserted); insert(insertions)
///     case .error(let error): show(error)
///     }
public enum SectionedChange<Collection> {
  /// The first call: the sections as they were when they were observed.
  case initial(Collection)
  /// What a commit changed, or several that are delivered together: positions of deleted rows before, without those of
  /// deleted sections; of inserted rows after, with those of inserted sections; of modified rows before; of inserted
  /// sections after, and of deleted ones before; each ascending. A row that goes to another section is deleted and inserted.
  case update(
    Collection, deletions: [SectionPosition], insertions: [SectionPosition],
    modifications: [SectionPosition], sectionsToInsert: [Int], sectionsToDelete: [Int])
  /// The sections can no longer be followed, or never could. The observer is not called again.
  case error(any Error)
}

extension SectionedChange: FailableChange {}
