import Herald

/// A histogram that may be observed. The values with their numbers of rows are observed groups, which follow each change at
/// its cost; the parts are counted anew from these at each delivery: O(different values).
struct LiveHistogram {
  let groups: DynamicGroups
  private let bins: Int
  /// As of the last delivery, or when it was made.
  let present: Histogram
  private let delivered: Delivered

  /// How the parts changed at the last delivery of the values, also where they did not.
  private final class Delivered {
    var changes = ChangeSet()
  }

  /// Runs the query. Errors: those of `DynamicGroups.rows`.
  init(_ groups: DynamicGroups, bins: Int) throws {
    self.init(groups, bins: bins, try Histogram(of: groups, bins: bins), Delivered())
  }

  private init(
    _ groups: DynamicGroups, bins: Int, _ present: Histogram, _ delivered: Delivered
  ) {
    self.groups = groups
    self.bins = bins
    self.present = present
    self.delivered = delivered
  }

  var store: DynamicStore { groups.store }

  /// What became of the parts where the observed values were delivered.
  var lastDelivery: DeliveryReason {
    let changes = delivered.changes
    if changes.isEmpty { return .asBefore(changed: []) }
    return .delivered(
      .update(
        deletions: changes.deletions.count, insertions: changes.insertions.count,
        modifications: changes.modifications.count))
  }

  /// A row as a map of its columns.
  func entries(_ row: [Value]) -> Value {
    .map(MapEntries(zip(Histogram.names(of: row), row).map { ($0, $1) }))
  }

  /// Runs the query again.
  var fresh: LiveHistogram { get throws { try LiveHistogram(groups, bins: bins) } }
}

extension LiveHistogram: ComputedRows {
  var reading: RowReading { .histogram(self) }

  func observe(
    silenced: @escaping (LiveHistogram, DynamicCollectionChange) -> Void,
    _ block: @escaping (LiveHistogram, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken {
    if store.isFrozen { throw HeraldError.cannotObserve("what is frozen") }
    var last = Histogram(of: [], bins: bins)
    weak var observer: ObservationToken?
    func update(_ groups: DynamicGroups) throws -> (LiveHistogram, ChangeSet) {
      let new = Histogram(of: try groups.rows(observedBy: observer), bins: bins)
      delivered.changes = new.difference(from: last, in: groups.store)
      last = new
      return (LiveHistogram(groups, bins: bins, new, delivered), delivered.changes)
    }
    func notifySilenced(_ groups: DynamicGroups) {
      // If it cannot be read, the next delivery reports it.
      guard let (histogram, changes) = try? update(groups) else { return }
      silenced(histogram, .update(changes, ownerDeleted: false))
    }
    func deliver(_ groups: DynamicGroups, _ change: DynamicCollectionChange) throws {
      switch change {
      case .initial:
        let (histogram, _) = try update(groups)
        try block(histogram, .initial(count: histogram.present.rows.count))
      case .update(_, let ownerDeleted), .mapUpdate(_, let ownerDeleted):
        let (histogram, changes) = try update(groups)
        if changes.isEmpty, !ownerDeleted { return }
        try block(histogram, .update(changes, ownerDeleted: ownerDeleted))
      case .error: try block(LiveHistogram(groups, bins: bins, last, delivered), change)
      }
    }
    let token = try groups.observe(silenced: { groups, _ in notifySilenced(groups) }, deliver)
    observer = token
    if !groups.isOfElements { token.onSilenced { _ in notifySilenced(groups) } }
    return token
  }
}
