import Herald

/// The objects that an event of `follow` speaks of: whoever reads the events can keep a copy of the
/// collection from them alone.
package struct EventObjects: Equatable, Sendable {
  /// Of a first event every row: a list, or a map.
  package var rows: OutputValue?
  /// What stands where rows were inserted and modified, in the order of the event.
  package var inserted: [EventDetails.Row] = []
  package var modified: [EventDetails.Row] = []
}

extension EventObjects {
  /// The rows of a first event with their places.
  var placedRows: [EventDetails.Row] {
    switch rows {
    case .list(let values):
      values.enumerated().map { EventDetails.Row(place: .position($0.offset), new: $0.element) }
    case .map(let entries): entries.map { EventDetails.Row(place: .key($0.name), new: $0.value) }
    case .plain, .link, .object, .part, .projection, nil: []
    }
  }

  /// The same as details, which say less than those that were asked for.
  var details: EventDetails {
    EventDetails(deletions: [], insertions: inserted, modifications: modified)
  }
}
