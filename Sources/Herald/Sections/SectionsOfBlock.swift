import HeraldModel
import HeraldObservation
import HeraldQuery

/// Sections whose keys a block gives, as an observer saw them last. Each change costs a call of the block for every row.
struct SectionsOfBlock<Key: Storable & Hashable, Row: CollectionElement> {
  typealias Change = SectionedChange<SectionedResults<Key, Row>>
  typealias Position = SectionPosition

  /// The keys before and after a change.
  struct Keys {
    var old: [Value]
    var new: [Value]
  }

  private var keys: [Value] = []
  /// Where each row of the results stands.
  private var positions: [Position] = []

  private init(_ query: SectionedQuery) throws {
    let bounds = try query.bounds
    keys = bounds.map(\.key)
    positions = Array(
      repeating: Position(section: 0, row: 0), count: bounds.last?.rows.upperBound ?? 0)
    for (section, bounds) in bounds.enumerated() {
      for (row, place) in try query.order(at: bounds.rows).enumerated() {
        positions[place] = Position(section: section, row: row)
      }
    }
  }

  private init() {}

  /// Observes sectioned results.
  static func observe(
    _ all: SectionedResults<Key, Row>, _ keys: SectionKeys, _ keyPaths: [String]?,
    _ block: @escaping (Change, Keys) -> Void
  ) -> NotificationToken {
    var seen = SectionsOfBlock()
    let core = all.core
    let report = { (change: Change) in block(change, Keys(old: [], new: [])) }
    return .observing(core, report) {
      try core.token {
        let finder = all._finder
        let token = try all.rows.register(core, keyPaths) { [weak core] delivery in
          if let core { seen.receive(delivery, keys, core, block) }
        }
        token.onSilenced { [weak core] _ in
          guard let core else { return }
          let present = try? finder?.find(core) as? SectionedResults<Key, Row>
          if let present = try? present.map({ try SectionsOfBlock($0.query) }) { seen = present }
        }
        return token
      }
    }
  }

  private mutating func receive(
    _ delivery: CollectionDelivery, _ keys: SectionKeys, _ core: StoreCore,
    _ block: (Change, Keys) -> Void
  ) {
    guard let change = CollectionChange<Results<Row>>(delivery) else { return }
    do {
      switch change {
      case .initial(let rows):
        let all = SectionedResults<Key, Row>(rows, keys, core)
        self = try SectionsOfBlock(all.query)
        block(.initial(all), Keys(old: [], new: self.keys))
      case .update(let rows, let deletions, let insertions, let modifications):
        let all = SectionedResults<Key, Row>(rows, keys, core)
        let old = self
        self = try SectionsOfBlock(all.query)
        let change = self.change(from: old, deletions, insertions, modifications, all)
        block(change, Keys(old: old.keys, new: self.keys))
      case .error(let error): block(.error(error), Keys(old: [], new: []))
      }
    } catch {
      block(.error(error), Keys(old: [], new: []))
    }
  }

  /// The change from older sections, by the rows of the results that were deleted, inserted and modified.
  private func change(
    from old: SectionsOfBlock, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int],
    _ results: SectionedResults<Key, Row>
  ) -> Change {
    var (deleted, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in keys.difference(from: old.keys) {
      switch change {
      case .remove(let offset, _, _): deleted.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    // The rows of before that are there now, in the same order.
    let (gone, new) = (Set(deletions), Set(insertions))
    var (lost, found) = (gone, new)
    let kept = zip(
      old.positions.indices.lazy.filter { !gone.contains($0) },
      positions.indices.lazy.filter { !new.contains($0) })
    for (before, now) in kept {
      let section = old.positions[before].section
      guard deleted.contains(section) || old.keys[section] != keys[positions[now].section]
      else { continue }
      lost.insert(before)
      found.insert(now)
    }
    return .update(
      results,
      deletions: lost.map { old.positions[$0] }.filter { !deleted.contains($0.section) }.sorted(),
      insertions: found.map { positions[$0] }.sorted(),
      modifications: modifications.filter { !lost.contains($0) }.map { old.positions[$0] }.sorted(),
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
