import HeraldEngine
import HeraldModel
import HeraldObservation

extension ResultsQuery {
  /// Notes a read of a part of the rows.
  @inline(__always)
  func track(_ part: @autoclosure () -> TrackedPart) {
    if core.owner.isTracking { trackPart(part()) }
  }

  @inline(never)
  private func trackPart(_ part: TrackedPart) {
    guard core.canTrack else { return }
    core.track(
      part, of: TrackedRows(core, elementsOf: nil, areModifiedOther: false), in: &trackedSources,
      as: .rows(nil)
    ) { source in
      try dynamic.observe(keyPaths: []) { [weak source] results, change in
        source?.receive(change, results.store)
      }
    }
  }

  /// Notes a read of the sections.
  func trackSections() {
    guard core.owner.isTracking, core.canTrack else { return }
    core.track(.all, of: TrackedSections(core), in: &trackedSources, as: .sections) { source in
      let sections = DynamicSections(rows: try dynamic)
      return try sections.observe(.keyPaths([])) { [weak source] sections, change in
        source?.receive(change, sections.store)
      }
    }
  }
}
