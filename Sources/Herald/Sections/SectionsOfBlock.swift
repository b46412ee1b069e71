import HeraldModel
import HeraldObservation
import HeraldQuery

/// Sections whose keys a block gives, as an observer saw them last. Each change costs a call of the block for every row.
struct SectionsOfBlock<Key: PersistableElement & Hashable, Row: ResultElement> {
  typealias Change = SectionedChange<SectionedResults<Key, Row>>
  typealias Position = SectionPosition

  /// The keys before and after a change.
  struct Keys {
    var old: [Value]
    var new: [Value]
  }

  /// The rows in the order of the results.
  private var numbers: [ObjectNumber] = []
  private var sections: [(key: Value, rows: [ObjectNumber])] = []

  private init(_ query: SectionedQuery) throws {
    numbers = try query.rows.rows.numbers
    sections = try query.bounds.map { ($0.key, try query.numbers(at: $0.rows)) }
  }

  private init() {}

  private var keys: [Value] { sections.map(\.key) }

  /// Observes sectioned results.
  static func observe(
    _ all: SectionedResults<Key, Row>, _ keys: SectionKeys, _ keyPaths: [String]?,
    _ block: @escaping (Change, Keys) -> Void
  ) -> NotificationToken {
    var seen = SectionsOfBlock()
    let core = all.query.rows.core
    let report = { (change: Change) in block(change, Keys(old: [], new: [])) }
    return .observing(core, report) {
      try core.token {
        let unheld = try all.query.rows.dynamic.compacted.unheld
        let token = try all.rows.register(core, keyPaths) { delivery in
          seen.receive(delivery, keys, block)
        }
        token.onSilenced { [weak core] _ in
          guard let core else { return }
          let query = ResultsQuery(core, unheld.results(in: core.dynamic))
          if let present = try? SectionsOfBlock(SectionedQuery(query, keys)) { seen = present }
        }
        return token
      }
    }
  }

  private mutating func receive(
    _ delivery: CollectionDelivery, _ keys: SectionKeys, _ block: (Change, Keys) -> Void
  ) {
    guard let change = CollectionChange<Results<Row>>(delivery) else { return }
    do {
      switch change {
      case .initial(let rows):
        let query = SectionedQuery(rows.query, keys)
        self = try SectionsOfBlock(query)
        block(.initial(SectionedResults(query)), Keys(old: [], new: self.keys))
      case .update(let rows, let deletions, _, let modifications):
        let query = SectionedQuery(rows.query, keys)
        let old = self
        self = try SectionsOfBlock(query)
        let gone = Set(deletions.map { old.numbers[$0] })
        let modified = modifications.map { old.numbers[$0] }
        let change = self.change(from: old, gone, modified, SectionedResults(query))
        block(change, Keys(old: old.keys, new: self.keys))
      case .error(let error): block(.error(error), Keys(old: [], new: []))
      }
    } catch {
      block(.error(error), Keys(old: [], new: []))
    }
  }

  private func places() -> [ObjectNumber: (key: Value, position: Position)] {
    var places: [ObjectNumber: (key: Value, position: Position)] = [:]
    for (section, found) in sections.enumerated() {
      for (row, number) in found.rows.enumerated() {
        places[number] = (found.key, Position(section: section, row: row))
      }
    }
    return places
  }

  /// The change from older sections; `gone` are the rows that were deleted or moved.
  private func change(
    from old: SectionsOfBlock, _ gone: Set<ObjectNumber>, _ modified: [ObjectNumber],
    _ results: SectionedResults<Key, Row>
  ) -> Change {
    var (deleted, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in keys.difference(from: old.keys) {
      switch change {
      case .remove(let offset, _, _): deleted.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let (oldPlaces, newPlaces) = (old.places(), places())
    func stays(_ number: ObjectNumber) -> Bool {
      guard let old = oldPlaces[number], let new = newPlaces[number] else { return false }
      return old.key == new.key && !gone.contains(number)
        && !deleted.contains(old.position.section)
    }
    return .update(
      results,
      deletions: oldPlaces.filter { !stays($0.key) }.map(\.value.position)
        .filter { !deleted.contains($0.section) }.sorted(),
      insertions: newPlaces.filter { !stays($0.key) }.map(\.value.position).sorted(),
      modifications: modified.filter(stays).compactMap { oldPlaces[$0]?.position }.sorted(),
      sectionsToInsert: inserted.sorted(), sectionsToDelete: deleted.sorted())
  }
}

extension ResultsSection {
  /// Observes a section whose key a block gives.
  func observe(
    _ keys: SectionKeys, _ keyPaths: [String]?,
    _ block: @escaping (SectionedChange<ResultsSection<Key, Element>>) -> Void
  ) -> NotificationToken {
    SectionsOfBlock.observe(sections, keys, keyPaths) { [value] change, keys in
      switch change {
      case .initial(let all): block(.initial(ResultsSection(all, all.key(value), value)))
      case .update(let all, let deletions, let insertions, let modifications, _, _):
        let own = ResultsSection(all, all.key(value), value)
        let (old, new) = (keys.old.firstIndex(of: value), keys.new.firstIndex(of: value))
        let update = SectionedChange<ResultsSection>.update(
          own, deletions: new == nil ? [] : deletions.filter { $0.section == old },
          insertions: insertions.filter { $0.section == new },
          modifications: modifications.filter { $0.section == old },
          sectionsToInsert: old == nil ? [new].compactMap(\.self) : [],
          sectionsToDelete: new == nil ? [old].compactMap(\.self) : [])
        if !update.isEmpty { block(update) }
      case .error(let error): block(.error(error))
      }
    }
  }
}
