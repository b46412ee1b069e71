import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

// Reads of what is derived of every element.

extension LiveValue {
  /// Notes a read of the value.
  func track() {
    base._base.track(
      as: { .aggregate(operation, name ?? "", of: $0) }, of: TrackedAggregate.init,
      observe: { source in
        try groups().observe { [weak source] groups, change in
          source?.receive(change, groups.store)
        }
      })
  }
}

extension StoredCollection where Element: ResultElement {
  /// Notes a read of a property of every object.
  func trackValues(of name: String) {
    _base.track(
      as: { .values(name, of: $0) }, of: { TrackedRows($0, elementsOf: nil) },
      observe: { source in
        let objects = try _base.results(nil, NoNames(), of: Element._names())
        return try objects.observe(keyPaths: [name]) { [weak source] objects, change in
          source?.receive(change, objects.store)
        }
      })
  }
}

extension CollectionBase {
  /// Notes a read of every element.
  func trackElements() {
    switch kind {
    case .local: break
    case .query(let query): query.track(.all)
    case .property(let property): property.track(.all)
    }
  }

  /// Notes a read of all that a source has. `key` is that of the source for a property, or for the rows of a query.
  fileprivate func track<Source: TrackedSource>(
    as key: (ObjectProperty?) -> TrackedSource.Key, of makeSource: (StoreCore) -> Source,
    observe: (Source) throws -> ObservationToken
  ) {
    guard let core, core.owner.isTracking, core.canTrack else { return }
    switch kind {
    case .local: break
    case .query(let query):
      core.track(.all, of: makeSource(core), in: &query.trackedSources, as: key(nil), observe)
    case .property(let property):
      guard let place = property.objectProperty else { return }
      core.track(.all, of: makeSource(core), in: &core.tracker.sources, as: key(place), observe)
    }
  }
}
