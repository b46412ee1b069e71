import HeraldModel
import HeraldQuery

/// Where the sections of a live view begin, whose rows are in the order of their keys.
///
/// It has no state for each row: the section that a row was in follows from its position before.
final class SectionsView {
  private var list: SectionList

  /// The sections of the rows of a view. O(sections · log rows).
  init(of view: LiveResults, _ reader: any ObjectReader) {
    let key = view.sectionKey
    var sections: [SectionList.Section] = []
    var start = 0
    while start < view.rowCount {
      let value = key.value(of: view.object(at: start), reader)
      let end = view.rows(from: start) { Value.order(key.value(of: $0, reader), value) == 0 }
      sections.append(SectionList.Section(key: value, count: end - start))
      start = end
    }
    list = SectionList(sections, isAscending: key.isAscending)
  }

  var count: Int { list.count }

  /// In bytes, without the texts of keys.
  var byteCount: Int { list.byteCount }

  /// The key and the number of rows of each section.
  var sections: [(key: Value, count: Int)] { list.sections.map { ($0.key, $0.count) } }

  /// What a commit did to the rows: those that leave their sections, and those that enter them.
  struct Step {
    fileprivate let left: [SectionList.Section]
    fileprivate let entered: [Value]
    /// The rows that are in another section than before.
    let separated: Set<ObjectNumber>
  }

  /// - Parameter rows: the changed rows of `view`, whose sections are those before.
  func step(_ rows: RowChanges, _ view: LiveResults, _ reader: any ObjectReader) -> Step {
    let key = view.sectionKey
    let left = rows.removed.map { list.place(ofRow: $0.position).section }
    let entered = rows.added.map { key.value(of: view.object(of: $0.number), reader) }
    let sections = Dictionary(
      zip(rows.removed, left).map { ($0.number, $1) }, uniquingKeysWith: { $1 })
    var separated: Set<ObjectNumber> = []
    for (row, key) in zip(rows.added, entered) {
      if let old = sections[row.number], list.section(ofKey: key) !== old {
        separated.insert(row.number)
      }
    }
    return Step(left: left, entered: entered, separated: separated)
  }

  /// Advances the sections and returns the changes of all rows by sections. O(changes · √sections).
  func advance(
    _ step: Step, _ rows: ChangeSet
  ) -> SectionChangeSet {
    let deleted = rows.deletions.map(list.place)
    let modified = rows.modifications.map { list.place(ofRow: $0).position }
    let movedFrom = rows.moves.map { list.place(ofRow: $0.old) }
    var new: Set<ObjectIdentifier> = []
    for section in step.left { list.add(-1, toKey: section.key) }
    for key in step.entered {
      let (section, isNew) = list.add(1, toKey: key)
      if isNew { new.insert(ObjectIdentifier(section)) }
    }
    let gone = step.left.unique.filter { $0.count == 0 }
    for section in gone { list.remove(section) }
    let inserted = rows.insertions.map(list.place)
    let movedTo = rows.moves.map { list.place(ofRow: $0.new) }
    let isThere = { (place: SectionList.Place) in place.section.count > 0 }
    let isNew = { (place: SectionList.Place) in new.contains(ObjectIdentifier(place.section)) }
    return SectionChangeSet(
      sectionDeletions: deleted.filter { !isThere($0) }.map(\.position.section).unique,
      sectionInsertions: inserted.filter(isNew).map(\.position.section).unique,
      deletions: deleted.filter(isThere).map(\.position),
      insertions: inserted.map(\.position),
      modifications: modified,
      modificationsNew: rows.modificationsNew.map { list.place(ofRow: $0).position },
      moves: zip(movedFrom, movedTo).filter { isThere($0) && !isNew($1) }
        .map { SectionChangeSet.Move(old: $0.position, new: $1.position) },
      rows: rows, deletedRows: zip(rows.deletions, deleted).filter { isThere($1) }.map(\.0))
  }

  /// The report that deletes all.
  func deletion() -> SectionChangeSet {
    SectionChangeSet(
      sectionDeletions: Array(0..<count), sectionInsertions: [], deletions: [], insertions: [],
      modifications: [], modificationsNew: [], moves: [],
      rows: ChangeSet(deletions: Array(0..<list.sections.reduce(0) { $0 + $1.count })),
      deletedRows: [])
  }

  /// The differences from sections that are made anew of the rows.
  func violations(_ view: LiveResults, _ reader: any ObjectReader) -> [String] {
    let expected = SectionsView(of: view, reader).sections
    let isSame = expected.elementsEqual(sections) {
      $0.count == $1.count && Value.order($0.key, $1.key) == 0
    }
    return list.violations + (isSame ? [] : ["sections \(sections), not \(expected)"])
  }
}

extension [Int] {
  /// Each of ascending numbers once.
  fileprivate var unique: [Int] {
    var found: [Int] = []
    for number in self where found.last != number { found.append(number) }
    return found
  }
}

extension LiveResults {
  /// The key of the sections that the rows are in.
  fileprivate var sectionKey: SortOrder.Key { view.order.sort.keys[0] }

  fileprivate var rowCount: Int { view.count }

  fileprivate func object(at position: Int) -> ObjectNumber {
    object(of: view.rows.number(at: position))
  }

  /// Returns the position after the last row from `start` on that is as the first one is, by an exponential search.
  fileprivate func rows(from start: Int, _ isSame: (ObjectNumber) -> Bool) -> Int {
    var (low, step) = (start + 1, 1)
    while low + step - 1 < rowCount, isSame(object(at: low + step - 1)) {
      low += step
      step *= 2
    }
    let high = Swift.min(low + step - 1, rowCount)
    return (low..<high).partitionPoint { isSame(object(at: $0)) }
  }
}
