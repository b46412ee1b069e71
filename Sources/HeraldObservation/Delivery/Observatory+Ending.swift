import HeraldModel
import HeraldQuery

extension Observatory {
  /// Ends an observer and removes it from every list and watch.
  func end(_ observer: Observer, _ reason: TokenEnd) {
    // Last, since releasing what a handler captures may end other observers.
    defer {
      observer.handler = nil
      observer.silenceHandler = nil
    }
    observer.state = .dead
    ends[observer.id] = reason
    observers.remove(observer.id)
    pendingTokens.remove(observer.id.rawValue)
    pendingProperties.remove(observer.id.rawValue)
    switch observer.subject {
    case .store: storeObservers.removeAll { $0 === observer }
    case .object(let subject):
      interest.remove(observer, from: subject.object)
      leave(subject.watches, of: subject.object, observer)
    case .projection(let subject):
      interest.remove(observer, from: subject.object)
      leave(subject.watches, of: subject.object, observer)
    case .property(let subject):
      interest.remove(observer, fromPropertiesOf: subject.object)
      propertyObserverCount -= 1
    case .results(let subject):
      guard let live = subject.live else { return }
      leave(live, observer)
      subject.live = nil
    case .collection(let subject):
      guard let live = subject.live else { return }
      interest.remove(observer, from: live.location)
      switch live.rowWatch {
      case .deep(let watch): leave(watch)
      case .paths(let watches): leave(watches)
      case nil: break
      }
      subject.live = nil
    }
  }

  private func leave(_ live: LiveResults, _ observer: Observer) {
    let query = live.view.query
    if let group = live.group, let span = query.predicate.span {
      interest.remove(observer, from: group, span)
      for watch in live.watches { interest.release(watch) }
      if let watch = live.rowWatch.deepWatch { interest.release(watch) }
      return
    }
    if let location = live.view.collection?.location {
      interest.remove(observer, from: location)
    } else {
      interest.removeDead(fromRowsOf: query.classID)
    }
    leave(live.watches)
    if let watch = live.rowWatch.deepWatch { leave(watch) }
  }

  private func leave(_ watches: [PathWatch], of object: ObjectID, _ observer: Observer) {
    for watch in watches {
      let others = watch.objects[object.number]?.filter { $0 !== observer } ?? []
      watch.objects[object.number] = others.isEmpty ? nil : others
      interest.release(watch)
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
