import Herald

/// The objects of an event of `follow`, from which a reader of the events can maintain a copy of the
/// collection.
package struct EventObjects: Equatable, Sendable {
  /// All rows, as a list or a map, in an initial event.
  package var rows: OutputValue?
  /// The inserted and the modified rows, in the order of the event.
  package var inserted: [EventDetails.Row] = []
  package var modified: [EventDetails.Row] = []
  /// The keys of the inserted sections; nil of rows without sections.
  package var insertedSections: [OutputValue]?
}

extension EventObjects {
  /// The rows of an initial event with their positions.
  var positionedRows: [EventDetails.Row] {
    switch rows {
    case .list(let values):
      values.enumerated().map { EventDetails.Row(position: .position($0.offset), new: $0.element) }
    case .map(let entries): entries.map { EventDetails.Row(position: .key($0.name), new: $0.value) }
    case .plain, .link, .object, .embedded, .projection, .row, nil: []
    }
  }

  /// The objects as details, used if the full details are not shown.
  var details: EventDetails {
    EventDetails(deletions: [], insertions: inserted, modifications: modified)
  }
}
