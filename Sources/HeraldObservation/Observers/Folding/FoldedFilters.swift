import HeraldModel
import HeraldQuery

/// The observed filters that have no observer now, of which there may be many, and those that had none before.
final class FoldedFilters {
  @exclusivity(unchecked) private var records = TokenPages<FoldedFilter>()
  /// What was delivered to those that received more than `initial`.
  @exclusivity(unchecked) private var accounts: [TokenID: DeliveryAccount] = [:]
  /// The tokens that got an observer, in this order from `firstUnfolded` on; some may have ended.
  @exclusivity(unchecked) private var unfolded: [TokenID] = []
  @exclusivity(unchecked) private var firstUnfolded = 0

  func contains(_ id: TokenID) -> Bool { records[id] != nil }

  subscript(id: TokenID) -> FoldedFilter? { records[id] }

  var ids: [TokenID] { records.ids }

  func insert(_ record: FoldedFilter, _ id: TokenID, _ account: DeliveryAccount?) {
    records.insert(record, id)
    if let account { accounts[id] = account }
  }

  func remove(_ id: TokenID) -> (record: FoldedFilter, account: DeliveryAccount?)? {
    guard let record = records.remove(id) else { return nil }
    return (record, accounts.isEmpty ? nil : accounts.removeValue(forKey: id))
  }

  var unfoldedCount: Int { unfolded.count - firstUnfolded }

  func noteUnfolded(_ id: TokenID) { unfolded.append(id) }

  /// Forgets the tokens that got their observers first and have ended.
  func forgetEnded(_ observers: TokenPages<Observer>) {
    while firstUnfolded < unfolded.count, observers[unfolded[firstUnfolded]] == nil {
      _ = nextUnfolded()
    }
  }

  /// Removes and returns the token that got its observer first.
  func nextUnfolded() -> TokenID? {
    guard firstUnfolded < unfolded.count else { return nil }
    firstUnfolded += 1
    let id = unfolded[firstUnfolded - 1]
    if firstUnfolded > 64, firstUnfolded * 2 > unfolded.count {
      unfolded.removeFirst(firstUnfolded)
      firstUnfolded = 0
    }
    return id
  }
}

extension Interest {
  /// Returns the observer of a live token, which it makes for a folded one.
  @inline(__always)
  func observer(_ id: TokenID) -> Observer? { observers[id] ?? unfold(id) }

  @inline(never)
  private func unfold(_ id: TokenID) -> Observer? { objectTokens.observer(id) ?? unfoldFilter(id) }

  /// Folds an observer that has nothing pending; returns false, without any effect, if that is impossible.
  func fold(_ observer: Observer) -> Bool {
    guard let number = UInt32(exactly: observer.id.rawValue),
      let record = FoldedFilter(observer)
    else { return false }
    foldedFilters.insert(record, observer.id, observer.ownAccount)
    _ = observers.remove(observer.id)
    record.group.index.replace(by: IntervalIndex.Member(folded: number), record.span)
    return true
  }

  private func unfoldFilter(_ id: TokenID) -> Observer? {
    guard let (record, account) = foldedFilters.remove(id) else { return nil }
    let observer = record.observer(id)
    if let account { observer.account = account }
    observers.insert(observer, id)
    record.group.index.replace(by: IntervalIndex.Member(observer), record.span)
    foldedFilters.noteUnfolded(id)
    return observer
  }

  /// Makes an observer for every folded filter. O(filters · log filters).
  func unfoldFilters() {
    for id in foldedFilters.ids { _ = unfoldFilter(id) }
  }

  /// Folds some of the filters that got an observer first, where there are more than `limit` of them, but those that
  /// later changes marked. Nothing must be pending. O(1).
  func foldFilters(beyond limit: Int, markedBefore stamp: Int) {
    let excess = foldedFilters.unfoldedCount - limit
    if excess <= 0 { return }
    for _ in 0..<min(excess, Self.foldedAtOnce) {
      guard let id = foldedFilters.nextUnfolded(), let observer = observers[id] else { continue }
      if observer.markedBy >= stamp {
        foldedFilters.noteUnfolded(id)
      } else {
        _ = fold(observer)
      }
    }
  }

  /// More than a change mostly unfolds, and so few that they take no longer than the change.
  private static var foldedAtOnce: Int { 32 }

  /// Removes a folded filter, and returns its receiver.
  func removeFoldedFilter(_ id: TokenID) -> (any ReportReceiver)? {
    guard let (record, _) = foldedFilters.remove(id) else { return nil }
    let member = IntervalIndex.Member(folded: UInt32(id.rawValue))
    remove(member, from: record.group.index, record.span)
    release(record.group.watches)
    return record.receiver
  }

  /// The invariants of the folded filters that do not hold in `reader`'s version. Runs every query again.
  func violationsOfFoldedFilters(_ reader: any ObjectReader) -> [String] {
    var indexed: Set<Int> = []
    for index in classes.values.flatMap(\.groups.values) {
      for entry in index.spans.blocks.flatMap(\.entries) where entry.member.folded != nil {
        indexed.insert(entry.member.id)
      }
    }
    var found: [String] = []
    for id in foldedFilters.ids {
      guard let record = foldedFilters[id], observers[id] == nil else {
        found.append("token \(id.rawValue) is folded and has an observer")
        continue
      }
      if indexed.remove(id.rawValue) == nil { found.append("token \(id.rawValue) is not indexed") }
      found += record.observer(id).subject.violations(reader)
    }
    return found + indexed.map { "token \($0) is indexed as folded" }
  }
}
