import HeraldModel
import HeraldQuery

/// Whether one commit alone has something to tell of results that were told of it together with those
/// before it: the rows as they were before it, as far as its record says, are brought up to date.
struct ResultsConcern {
  private let live: LiveResults
  private let query: BoundQuery
  private let changes: PendingChanges
  /// What was told together with it, where all of that is known.
  private let earlier: PendingChanges?
  private let former: FormerReader
  private let reader: any ObjectReader

  /// `stamp` is one that no changes have.
  init(
    _ live: LiveResults, _ query: BoundQuery, _ taken: LastTaken, stamp: Int,
    _ reader: any ObjectReader
  ) {
    self.live = live
    self.query = query
    changes = taken.changes
    self.reader = reader
    former = FormerReader(reader, before: changes.record)
    earlier = live.passage.flatMap { passage in
      taken.earlier(since: passage.versions.lowerBound)
        .map { PendingChanges(stamp: stamp, record: $0) }
    }
  }

  /// O(rows · log rows) for each way in which rows may have been there that are not known.
  func concern() -> Concern {
    var members: [ObjectNumber: Bool] = [:]
    var undecided: [ObjectNumber] = []
    for number in unsureObjects() {
      members[number] = matchedAsTold(number)
      if members[number] == nil { undecided.append(number) }
    }
    guard undecided.count <= Self.mostUndecided else { return .undecided(undecided) }
    var answer: Bool?
    for choice in 0..<1 << undecided.count {
      for (place, number) in undecided.enumerated() { members[number] = choice >> place & 1 == 1 }
      guard let told = isTold(with: members), told == answer ?? told else {
        return .undecided(undecided)
      }
      answer = told
    }
    return .certain(answer ?? false)
  }

  private static let mostUndecided = 4

  /// The objects of which the record does not say whether they matched before it.
  private func unsureObjects() -> [ObjectNumber] {
    var numbers = Set(live.predicateWatches.roots(changes, reader))
    if let population = changes.population(of: query.classID) {
      numbers.formUnion(population.deleted.keys)
      numbers.subtract(population.created.numbers)
    }
    return numbers.sorted().filter { number in
      former.hasGuessed = false
      _ = query.predicate.matches(number, former)
      return former.hasGuessed
    }
  }

  /// Whether an object matched when the token was told before, where it matched as long as that until
  /// the commit; else nil.
  private func matchedAsTold(_ number: ObjectNumber) -> Bool? {
    guard let passage = live.passage, let earlier,
      passage.versions.upperBound == changes.record.lastVersion,
      earlier.population(of: query.classID)?.isKept(number) ?? true
    else { return nil }
    former.hasGuessed = false
    let isTouched = live.predicateWatches.roots(earlier, former).contains(number)
    return isTouched || former.hasGuessed ? nil : live.matched(number, before: passage)
  }

  /// Nil where the order of the rows, or a later condition, is not known.
  private func isTold(with members: [ObjectNumber: Bool]) -> Bool? {
    former.hasGuessed = false
    let rows = live.view.collection.map { CollectionRows($0.place, former) }
    if former.hasGuessed { return nil }
    let view = ResultsView(query, of: rows, former) { known in
      for (number, isMember) in members {
        for row in rows?.rows(of: number) ?? [number] {
          if isMember { known.insert(row) } else { known.remove(row) }
        }
      }
      former.hasGuessed = false
    }
    if former.hasGuessed { return nil }
    let alone = LiveResults(
      view, predicateWatches: live.predicateWatches, keyWatches: live.keyWatches,
      rowWatch: live.rowWatch)
    return !alone.advance(changes, reader).isEmpty
  }
}

extension LastTaken {
  /// What led from a version to the one before the commit, as one; nil where it is not known.
  fileprivate func earlier(since first: Int) -> CommitRecord? {
    let records = earlier.filter { $0.lastVersion >= first }
    guard var merged = records.first, merged.firstVersion <= first else { return nil }
    for record in records.dropFirst() { merged.merge(record) }
    return merged.lastVersion + 1 == changes.record.firstVersion ? merged : nil
  }
}
