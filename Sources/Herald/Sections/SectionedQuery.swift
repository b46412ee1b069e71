import HeraldEngine
import HeraldModel
import HeraldQuery

/// What divides results into sections, with where these began at its last run.
final class SectionedQuery {
  /// A section: its key, and its rows among all.
  struct Bounds {
    let key: Value
    let rows: Range<Int>
  }

  /// What gives the sections their keys.
  enum Keys {
    /// An expression, by which the query sorts: the rows are in the order of the sections.
    case expression(ResultsQuery)
    /// A block, for rows in their own order.
    case block(SectionKeys, CollectionBase)
  }

  let core: StoreCore
  let keys: Keys
  private var kept: (stamp: Session.ReadStamp, found: Found)?

  private struct Found {
    var bounds: [Bounds] = []
    /// The rows section after section, of a block; else they stand in their order.
    var order: [Int] = []

    mutating func append(_ key: Value, _ count: Int) {
      let start = bounds.last?.rows.upperBound ?? 0
      bounds.append(Bounds(key: key, rows: start..<start + count))
    }
  }

  init(_ core: StoreCore, _ keys: Keys) {
    self.core = core
    self.keys = keys
  }

  /// All rows.
  var base: CollectionBase {
    switch keys {
    case .expression(let query): CollectionBase(.query(query))
    case .block(_, let base): base
    }
  }

  /// The block that gives the sections their keys; nil for an expression.
  var block: SectionKeys? { if case .block(let keys, _) = keys { keys } else { nil } }

  /// The sections at present. Errors: those of the query.
  var bounds: [Bounds] { get throws { try found.bounds } }

  /// Returns which rows are at some places, section after section. Errors: those of the query.
  func order(at places: Range<Int>) throws -> [Int] {
    if case .expression = keys { Array(places) } else { Array(try found.order[places]) }
  }

  private var found: Found {
    get throws {
      switch keys {
      case .expression(let query):
        guard let dynamic = try query.dynamicIfAny else { return Found() }
        return try found(at: query.readStamp(dynamic)) {
          var found = Found()
          let numbers = try query.rows.numbers
          for section in dynamic.query.sections(of: numbers, core.session.reader) {
            found.append(section.key, section.rows.count)
          }
          return found
        }
      case .block(let keys, let base):
        let session = core.session
        try session.checkOpen()
        let find = { [core] in
          var found = Found()
          for (key, places) in try keys.sections(core, base) {
            found.append(key, places.count)
            found.order += places
          }
          return found
        }
        // A block may read what the query does not.
        return try session.isInWrite ? find() : found(at: session.readStamp(of: []), find)
      }
    }
  }

  /// Notes a read of the sections.
  func track() {
    switch keys {
    case .expression(let query): query.trackSections()
    case .block(_, let base): base.trackElements()
    }
  }

  private func found(at stamp: Session.ReadStamp, _ find: () throws -> Found) rethrows -> Found {
    if let kept, kept.stamp == stamp { return kept.found }
    let found = try find()
    kept = (stamp, found)
    return found
  }
}

/// A block of the program that gives each element the key of its section.
///
/// `@unchecked Sendable`: the block is called in the session that the elements belong to, one call at a time.
struct SectionKeys: @unchecked Sendable {
  /// Returns the places of the elements of each key, which stand in the order of their first elements. Errors: those of
  /// encoding a key.
  let sections: (StoreCore, CollectionBase) throws -> [(Value, [Int])]

  init<Key: Storable, Row: CollectionElement>(_ block: @escaping (Row) -> Key) {
    sections = { core, base in
      var sections: [(Value, [Int])] = []
      var indices: [Value: Int] = [:]
      for (place, element) in Results<Row>(base).enumerated() {
        let key = try block(element)._encode(LinkEncoder(core))
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
}
