import HeraldEngine
import HeraldModel
import HeraldQuery

/// The query of sectioned results, with where their sections began at its last run.
final class SectionedQuery {
  /// A section: its key, and its rows among all.
  struct Bounds {
    let key: Value
    let rows: Range<Int>
  }

  /// All rows: in the order of the sections, unless a block gives these their keys.
  let rows: ResultsQuery
  /// The block that gives the sections their keys; nil for an expression, by which the query sorts.
  let keys: SectionKeys?
  private var kept: (stamp: Session.ReadStamp, found: Found)?

  private struct Found {
    var bounds: [Bounds] = []
    /// The rows section after section, of a block; else the query has them.
    var numbers: [ObjectNumber] = []
  }

  init(_ rows: ResultsQuery, _ keys: SectionKeys? = nil) {
    self.rows = rows
    self.keys = keys
  }

  /// The sections at present. Errors: those of the query.
  var bounds: [Bounds] { get throws { try found.bounds } }

  /// Returns the objects at some places, section after section. Errors: those of the query.
  func numbers(at places: Range<Int>) throws -> [ObjectNumber] {
    if keys != nil { return Array(try found.numbers[places]) }
    let rows = try rows.rows
    return places.map { rows[$0] }
  }

  private var found: Found {
    get throws {
      guard let dynamic = try rows.dynamicIfAny else { return Found() }
      let stamp = try rows.readStamp(dynamic)
      if let kept, kept.stamp == stamp { return kept.found }
      let numbers = try rows.rows.numbers
      let sections =
        if let keys { try keys.sections(of: numbers, rows) } else {
          dynamic.query.sections(of: numbers, rows.core.session.reader).map { ($0.key, $0.rows) }
        }
      var found = Found()
      var start = 0
      for (key, rows) in sections {
        let end = start + rows.count
        found.bounds.append(Bounds(key: key, rows: start..<end))
        start = end
        if keys != nil { found.numbers += rows }
      }
      // A block may read what the query does not.
      if keys == nil || !rows.core.session.isInWrite { kept = (stamp, found) }
      return found
    }
  }
}

/// A block of the program that gives each object the key of its section.
///
/// `@unchecked Sendable`: the block is called in the session that the rows belong to, one call at a time.
struct SectionKeys: @unchecked Sendable {
  /// Returns the key of an object of a query.
  let key: (ResultsQuery, ObjectNumber) throws -> Value

  init<Key: PersistableElement, Row: ResultElement>(_ block: @escaping (Row) -> Key) {
    key = { query, number in
      try block(Results<Row>(query).instance(number))._encode(LinkEncoder(query.core))
    }
  }

  /// Returns the rows of each key, which stand in the order of their first rows. Errors: those of encoding a key.
  func sections(
    of numbers: [ObjectNumber], _ query: ResultsQuery
  ) throws -> [(Value, [ObjectNumber])] {
    var sections: [(Value, [ObjectNumber])] = []
    var indices: [Value: Int] = [:]
    for number in numbers {
      let key = try key(query, number)
      if let index = indices[key] {
        sections[index].1.append(number)
      } else {
        indices[key] = sections.count
        sections.append((key, [number]))
      }
    }
    return sections
  }
}
