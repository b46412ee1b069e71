import HeraldModel
import HeraldQuery

/// The observed filters that have no observer now, of which there may be many, and those that had none before.
final class FoldedFilters {
  /// That a record, or a later one, may concern a filter.
  struct Mark {
    let id: TokenID
    /// The stamp of the last changes that marked it.
    var stamp: Int
    /// The number of the first record, and the clock when it marked the filter.
    var record: Int
    var since: Int
    /// Whether it waits for a report.
    var isPending = true
  }

  private let records = TokenPages<FoldedFilter>()
  /// What was delivered to those that received more than `initial`.
  @exclusivity(unchecked) private var accounts = FilterAccounts()
  /// The tokens that got an observer, in this order from `firstUnfolded` on; some may have ended.
  @exclusivity(unchecked) private var unfolded: [TokenID] = []
  @exclusivity(unchecked) private var firstUnfolded = 0
  /// The marks since nothing was pending; those of filters that have ended, or have an observer, are not pending.
  @exclusivity(unchecked) private var marks: [Mark] = []

  func contains(_ id: TokenID) -> Bool { records.contains(id) }

  subscript(id: TokenID) -> FoldedFilter? { records[id] }

  var ids: [TokenID] { records.ids }

  func insert(_ record: FoldedFilter, _ id: TokenID, _ account: DeliveryAccount?) {
    var record = record
    if let account { record.account = accounts.insert(account) }
    records.insert(record, id)
  }

  /// What was known of a filter that is no longer folded.
  struct Removed {
    let record: FoldedFilter
    let account: DeliveryAccount?
    /// Its mark; nil if nothing has marked it.
    let mark: Mark?
  }

  func remove(_ id: TokenID) -> Removed? {
    guard let record = records.remove(id) else { return nil }
    let account = record.account.map { accounts.remove($0) }
    guard record.mark > 0 else { return Removed(record: record, account: account, mark: nil) }
    let mark = marks[Int(record.mark) - 1]
    marks[Int(record.mark) - 1].isPending = false
    return Removed(record: record, account: account, mark: mark)
  }

  /// Calls `body` with the account of a folded filter that receives more than `initial`.
  func withAccount(_ id: TokenID, _ body: (inout DeliveryAccount) -> Void) {
    guard let record = records.place(of: id) else { return }
    let known = record.pointee.account ?? accounts.insert(record.pointee.initialAccount)
    record.pointee.account = known
    body(&accounts[known])
  }

  // MARK: Marks

  /// Marks a folded filter as pending, from an earlier record if it is already. Returns false, without any effect, for
  /// another token, and if there are too many marks.
  func mark(_ new: Mark) -> Bool {
    guard let known = records.place(of: new.id)?.pointee.mark else { return false }
    if known > 0 {
      let index = Int(known) - 1
      marks[index].stamp = new.stamp
      if !marks[index].isPending { marks[index] = new }
      return true
    }
    guard let place = UInt16(exactly: marks.count + 1) else { return false }
    marks.append(new)
    records.place(of: new.id)?.pointee.mark = place
    return true
  }

  /// Returns the mark of a folded filter that waits for a report; nil for any other token.
  func pendingMark(_ id: TokenID) -> Mark? {
    guard let place = records.place(of: id)?.pointee.mark, place > 0,
      marks[Int(place) - 1].isPending
    else { return nil }
    return marks[Int(place) - 1]
  }

  /// Answers changes for a marked filter, which is then no longer pending, unless it needs an observer.
  func answer(
    _ id: TokenID, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> FoldedFilter.Answer {
    guard let record = records.place(of: id) else { return .needsObserver }
    let answer = record.pointee.answer(changes, reader)
    if case .needsObserver = answer { return answer }
    let place = Int(record.pointee.mark)
    if place > 0 { marks[place - 1].isPending = false }
    return answer
  }

  /// Returns the receiver of a folded filter, with its query.
  func receiver(of id: TokenID) -> (any ReportReceiver)? {
    records.place(of: id)?.pointee.unfoldedReceiver
  }

  /// Forgets all marks. Nothing must be pending.
  func forgetMarks() {
    if marks.isEmpty { return }
    for mark in marks { records.place(of: mark.id)?.pointee.mark = 0 }
    marks.removeAll(keepingCapacity: marks.count < 16)
  }

  // MARK: Observers

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
    guard let removed = foldedFilters.remove(id) else { return nil }
    let record = removed.record
    let observer = record.observer(id)
    if let account = removed.account { observer.account = account }
    if let mark = removed.mark {
      observer.markedBy = mark.stamp
      if mark.isPending { observer.state = .pending(record: mark.record, since: mark.since) }
    }
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
    guard let record = foldedFilters.remove(id)?.record else { return nil }
    let member = IntervalIndex.Member(folded: UInt32(id.rawValue))
    remove(member, from: record.group.index, record.span)
    release(record.group.watches)
    return record.receiver
  }

  /// The invariants of the folded filters that do not hold in `reader`'s version. Runs every query again.
  func violationsOfFoldedFilters(
    pending isPending: (Int) -> Bool, _ reader: any ObjectReader
  ) -> [String] {
    var indexed: Set<Int> = []
    for index in classes.values.flatMap(\.groups.values) {
      for entry in index.spans.blocks.joined() where entry.member.folded != nil {
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
      if isPending(id.rawValue) != (foldedFilters.pendingMark(id) != nil) {
        found.append("token \(id.rawValue) is folded and marked wrongly")
      }
      if isPending(id.rawValue) { continue }
      found += record.observer(id).subject.violations(reader)
    }
    return found + indexed.map { "token \($0) is indexed as folded" }
  }
}
