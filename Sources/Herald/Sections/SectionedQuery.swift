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
    /// The rows of the query section after section, of a block; else they stand in their order.
    var order: [Int] = []
  }

  init(_ rows: ResultsQuery, _ keys: SectionKeys? = nil) {
    self.rows = rows
    self.keys = keys
  }

  /// The sections at present. Errors: those of the query.
  var bounds: [Bounds] { get throws { try found.bounds } }

  /// Returns the objects at some places, section after section. Errors: those of the query.
  func numbers(at places: Range<Int>) throws -> [ObjectNumber] {
    let (rows, order) = (try rows.rows, try order(at: places))
    return order.map { rows[$0] }
  }

  /// Returns the rows of the query at some places, section after section. Errors: those of the query.
  func order(at places: Range<Int>) throws -> [Int] {
    keys == nil ? Array(places) : Array(try found.order[places])
  }

  private var found: Found {
    get throws {
      guard let dynamic = try rows.dynamicIfAny else { return Found() }
      let stamp = try rows.readStamp(dynamic)
      if let kept, kept.stamp == stamp { return kept.found }
      let numbers = try rows.rows.numbers
      var found = Found()
      func append(_ key: Value, _ count: Int) {
        let start = found.bounds.last?.rows.upperBound ?? 0
        found.bounds.append(Bounds(key: key, rows: start..<start + count))
      }
      if let keys {
        for (key, places) in try keys.sections(of: numbers, rows) {
          append(key, places.count)
          found.order += places
        }
      } else {
        for section in dynamic.query.sections(of: numbers, rows.core.session.reader) {
          append(section.key, section.rows.count)
        }
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

  /// Returns the places of the rows of each key, which stand in the order of their first rows. Errors: those of encoding a
  /// key.
  func sections(of numbers: [ObjectNumber], _ query: ResultsQuery) throws -> [(Value, [Int])] {
    var sections: [(Value, [Int])] = []
    var indices: [Value: Int] = [:]
    for (place, number) in numbers.enumerated() {
      let key = try key(query, number)
      if let index = indices[key] {
        sections[index].1.append(place)
      } else {
        indices[key] = sections.count
        sections.append((key, [place]))
      }
    }
    return sections
  }
}
