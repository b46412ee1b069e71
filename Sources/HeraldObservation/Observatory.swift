import HeraldModel
import HeraldQuery

/// From commit records to what each observer of one session is told.
///
/// Commit records come in with `take`, in version order; reports go out in rounds. Between the two
/// lies a state for each token (`Observer.State`): a record marks those that it may concern, and
/// a token's view is brought up to date when its report is asked for, from all the records since.
/// Belongs to one session and is used by one thread at a time.
package final class Observatory {
  var observers = ObserverTable()
  /// Store tokens, in order of registration: few, and served first.
  var storeObservers: [Observer] = []
  var interest = Interest()
  /// Tokens other than store tokens that await their initial or are owed a report.
  var owing = TokenBits()
  /// Counts registrations, records and rounds: what came before a round has a lower one.
  var clock = 0
  /// The records that somebody is owed, the first with this number.
  var firstLogged = 0
  var log: [CommitRecord] = []
  /// The log from a number on, as one record.
  var pending: [Int: PendingChanges] = [:]
  var lastStamp = 0
  private var nextID = 0

  package init() {}

  /// Adds an observer. A collection owes its `initial`; the view is built when that is delivered,
  /// from the reader then, in one scan.
  package func register(_ target: ObservedTarget) -> TokenID {
    let id = TokenID(rawValue: nextID)
    nextID += 1
    clock += 1
    switch target {
    case .store:
      let observer = Observer(id, .store(StoreSubject()), .idle)
      observers.insert(observer)
      storeObservers.append(observer)
    case .object(let object, let filter):
      observers.insert(observe(object, filter, id))
    case .results(let query, let filter):
      awaitInitial(
        Observer(id, .results(ResultsSubject(query, filter)), .awaitingInitial(since: clock)))
    case .list(let owner, let property, let filter):
      let subject = ListSubject(owner: owner, property: property, filter)
      awaitInitial(Observer(id, .list(subject), .awaitingInitial(since: clock)))
    }
    return id
  }

  private func awaitInitial(_ observer: Observer) {
    observers.insert(observer)
    owing.insert(observer.id.rawValue)
  }

  private func observe(_ object: ObjectID, _ filter: ObjectFilter, _ id: TokenID) -> Observer {
    var watches: [PathWatch] = []
    if case .keyPaths(let paths, _) = filter {
      for path in Set(paths) { watches.append(interest.watch(path)) }
    }
    let observer = Observer(id, .object(ObjectSubject(object, filter, watches)), .idle)
    for watch in watches { watch.objects[object.number, default: []].append(observer) }
    _ = interest.add(observer, to: object)
    return observer
  }

  /// Stops an observer; it is not called again, not even in the round under way. Does nothing for
  /// one that is dead.
  package func invalidate(_ token: TokenID) {
    if let observer = observers[token] { end(observer) }
  }

  /// Whether the observer can still be told something: false after `deleted`, after the update
  /// with `ownerDeleted`, and after `invalidate`.
  package func isLive(_ token: TokenID) -> Bool { observers[token] != nil }

  /// Whether a round may have something to tell. O(store tokens).
  package var owes: Bool { !owing.isEmpty || owesStore }

  package var owesStore: Bool {
    storeObservers.contains { observer in
      guard case .store(let subject) = observer.subject else { return false }
      return subject.changedSince != nil || subject.refreshSince != nil
    }
  }

  /// Takes an observer off every list.
  func end(_ observer: Observer) {
    observer.state = .dead
    observers.remove(observer.id)
    owing.remove(observer.id.rawValue)
    switch observer.subject {
    case .store: storeObservers.removeAll { $0 === observer }
    case .object(let subject):
      interest.remove(observer, from: subject.object)
      for watch in subject.watches {
        let others = watch.objects[subject.object.number]?.filter { $0 !== observer } ?? []
        watch.objects[subject.object.number] = others.isEmpty ? nil : others
        interest.release(watch)
      }
    case .results(let subject):
      guard let live = subject.live else { return }
      interest.removeDead(fromRowsOf: subject.query.classID)
      leave(live.watches)
      if case .deep(let watch) = live.rowWatch { leave(watch) }
      subject.live = nil
    case .list(let subject):
      guard let live = subject.live else { return }
      interest.remove(observer, fromListsOf: subject.owner)
      switch live.rowWatch {
      case .deep(let watch): leave(watch)
      case .paths(let watches): leave(watches)
      case nil: break
      }
      subject.live = nil
    }
  }

  private func leave(_ watches: [PathWatch]) {
    for watch in watches {
      watch.observers.removeDead()
      interest.release(watch)
    }
  }

  private func leave(_ watch: DeepWatch) {
    watch.observers.removeDead()
    interest.release(watch)
  }
}
