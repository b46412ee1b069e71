import TestSupport
import Testing

@testable import HeraldShell

extension JSONValue {
  /// A member of an object; nil if it is none.
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The elements of an array, none for anything else.
  var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }

  var int: Int? { if case .int(let number) = self { number } else { nil } }

  static func read(_ line: String) throws -> JSONValue {
    var reader = JSONReader(Array(line.utf8))
    return try reader.value()
  }
}

/// The sections of a query as a reader of the events has them, who knows nothing of the store.
struct SectionReplay {
  struct Section: Equatable {
    var key: JSONValue
    var rows: [Int]
  }

  /// The section and the row of a position.
  typealias Position = (section: Int, row: Int)

  private(set) var sections: [Section]

  /// - Parameter result: what `show QUERY sections by EXPR { id }` prints.
  init(_ result: JSONValue?) {
    sections = (result?.elements ?? []).map { section in
      Section(
        key: section["key"] ?? .null,
        rows: (section["rows"]?.elements ?? []).compactMap { $0["id"]?.int })
    }
  }

  static func positions(_ name: String, of event: JSONValue) -> [Position] {
    (event[name]?.elements ?? []).map { pair in
      (pair.elements[0].int ?? -1, pair.elements[1].int ?? -1)
    }
  }

  static func numbers(_ name: String, of event: JSONValue) -> [Int] {
    (event[name]?.elements ?? []).compactMap(\.int)
  }

  func row(at position: Position) -> Int { sections[position.section].rows[position.row] }

  /// Applies an update: deleted rows, deleted sections, inserted sections, whose keys are those of `later`, inserted rows.
  mutating func follow(_ event: JSONValue, to later: SectionReplay) {
    for position in Self.positions("deletions", of: event).reversed() {
      sections[position.section].rows.remove(at: position.row)
    }
    for section in Self.numbers("sectionDeletions", of: event).reversed() {
      sections.remove(at: section)
    }
    for section in Self.numbers("sectionInsertions", of: event) {
      sections.insert(Section(key: later.sections[section].key, rows: []), at: section)
    }
    for position in Self.positions("insertions", of: event) {
      sections[position.section].rows.insert(
        later.row(at: position), at: position.row)
    }
  }
}

/// What must be true of an update between two states of sections, by definition and without the engine.
struct SectionLaw {
  let old: SectionReplay
  let new: SectionReplay
  /// The rows that count as modified; nil if that is not known.
  let modified: Set<Int>?
  /// Whether the rows of a section may have another order than that of their collection.
  let isSorted: Bool

  /// The sections that stay, by their old positions.
  private var staying: [(old: Int, new: Int)] {
    old.sections.enumerated().compactMap { index, section in
      new.sections.firstIndex { $0.key == section.key }.map { (index, $0) }
    }
  }

  /// What is wrong with an update; nil for `event` where there was none.
  func mistakes(of event: JSONValue?) -> [String] {
    let staying = self.staying
    let kept = staying.map {
      Set(old.sections[$0.old].rows).intersection(new.sections[$0.new].rows)
    }
    guard let event else {
      let isSame = old.sections == new.sections
      let isQuiet = modified?.isDisjoint(with: kept.reduce(into: []) { $0.formUnion($1) }) ?? true
      return (isSame ? [] : ["no event"]) + (isQuiet ? [] : ["no event of a modification"])
    }
    var found: [String] = []
    func check(_ holds: Bool, _ what: String) { if !holds { found.append(what) } }
    check(
      SectionReplay.numbers("sectionDeletions", of: event)
        == old.sections.indices.filter { index in !staying.contains { $0.old == index } },
      "section deletions")
    check(
      SectionReplay.numbers("sectionInsertions", of: event)
        == new.sections.indices.filter { index in !staying.contains { $0.new == index } },
      "section insertions")
    var replayed = old
    replayed.follow(event, to: new)
    check(replayed.sections == new.sections, "the replay law: \(replayed.sections)")
    checkRows(of: event, staying, kept, check)
    return found
  }

  private func checkRows(
    of event: JSONValue, _ staying: [(old: Int, new: Int)], _ kept: [Set<Int>],
    _ check: (Bool, String) -> Void
  ) {
    let positions = { (name: String) in SectionReplay.positions(name, of: event) }
    let deleted = positions("deletions")
    let inserted = positions("insertions")
    let (from, to) = (positions("modifications"), positions("modificationsNew"))
    for (index, section) in staying.enumerated() {
      let (before, after) = (old.sections[section.old].rows, new.sections[section.new].rows)
      let gone = deleted.filter { $0.section == section.old }.map { before[$0.row] }
      let come = inserted.filter { $0.section == section.new }.map { after[$0.row] }
      let moved = Set(gone).intersection(come)
      check(Set(gone) == Set(before).subtracting(after).union(moved), "deletions of \(section)")
      check(Set(come) == Set(after).subtracting(before).union(moved), "insertions of \(section)")
      let places = before.filter(kept[index].contains).compactMap { after.firstIndex(of: $0) }
      let fewest = places.count - Self.longestAscent(of: places)
      check(moved.count >= fewest, "too few moves of \(section)")
      check(isSorted && fewest > 0 || moved.count == fewest, "moves of \(section)")
      let changed = from.filter { $0.section == section.old }.map { before[$0.row] }
      if let modified {
        check(
          Set(changed) == modified.intersection(kept[index]).subtracting(moved),
          "modifications of \(section)")
      }
    }
    check(from.map(old.row) == to.map(new.row), "modifications before and after")
    let ascending = { (rows: [SectionReplay.Position]) in zip(rows, rows.dropFirst()).allSatisfy(<)
    }
    check([deleted, inserted, from].allSatisfy(ascending), "order")
    checkMoves(of: event, staying, deleted, inserted, check)
    let keys = { (name: String) in event["keys"]?[name]?.elements.compactMap(\.int) ?? [] }
    check(keys("deletions") == deleted.map(old.row), "keys of deletions")
    check(keys("insertions") == inserted.map(new.row), "keys of insertions")
    check(keys("modifications") == to.map(new.row), "keys of modifications")
  }

  /// A row that was deleted and inserted, and whose sections stay, is moved.
  private func checkMoves(
    of event: JSONValue, _ staying: [(old: Int, new: Int)], _ deleted: [SectionReplay.Position],
    _ inserted: [SectionReplay.Position], _ check: (Bool, String) -> Void
  ) {
    var expected: [[Int]] = []
    for from in deleted {
      for to in inserted where new.row(at: to) == old.row(at: from) {
        guard staying.contains(where: { $0.new == to.section }) else { continue }
        expected.append([from.section, from.row, to.section, to.row])
      }
    }
    let moves = (event["moves"]?.elements ?? []).map { move in
      move.elements.flatMap { $0.elements.compactMap(\.int) }
    }
    check(moves == expected, "moves \(moves), not \(expected)")
  }

  /// The length of the longest ascending part, O(n²).
  private static func longestAscent(of numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
      lengths.append(
        1 + (0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.reduce(0, max))
    }
    return lengths.reduce(0, max)
  }
}
