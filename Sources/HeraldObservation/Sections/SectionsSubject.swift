import HeraldModel
import HeraldQuery

/// Observed sections of the rows of a query: its rows in the order of the sections' keys, and where each section begins.
final class SectionsSubject: Subject {
  private let members: ResultsSubject
  private(set) var sections: SectionsView?

  /// - Parameter query: its last stage is a sort by the key of the sections.
  init(_ query: BoundQuery, of source: ObjectProperty?, _ filter: RowFilter) {
    members = ResultsSubject(query, of: source, filter)
  }

  var hasRows: Bool { true }
  var observedProperty: ObjectProperty? { members.observedProperty }
  var isOrphan: Bool { members.isOrphan }
  var rowWatch: RowWatch? { members.rowWatch }

  /// Leaves the subscriptions to `begin`, which knows what the rows depend on.
  func register(_ observer: Observer, _ interest: Interest) {}

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    guard let count = members.begin(observer, interest, reader), let live = members.live else {
      return nil
    }
    sections = SectionsView(of: live, reader)
    return count
  }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    members.learn(schema, observer, interest)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    members.depends(on: losses, schema)
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    members.leave(observer, interest)
    sections = nil
  }

  /// O(changes · (log rows + √sections)).
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let sections, let live = members.live else { return nil }
    if let owner = observedProperty?.object,
      changes.change(of: owner.classID)?.deleted[owner.number] != nil
    {
      return deletion(ofOwner: true)
    }
    var step: SectionsView.Step?
    let rows: ChangeSet
    do throws(QueryError) {
      rows = try members.changeSet(ofSections: changes, reader) { rows in
        let found = sections.step(rows, live, reader)
        step = found
        return found.separated
      }
    } catch {
      return .collection(.error(.cannotContinue(error.message)))
    }
    guard let step else { return nil }
    let changeSet = sections.advance(step, rows)
    return rows.isEmpty ? nil : .sections(changeSet, ownerDeleted: false)
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard let sections, ownerDeleted || sections.count > 0 else { return nil }
    return .sections(sections.deletion(), ownerDeleted: ownerDeleted)
  }

  func objects(at positions: Range<Int>, _ reader: any ObjectReader) -> [ObjectID]? {
    members.objects(at: positions, reader)
  }

  /// The key and the number of rows of each section.
  func groups(at positions: Range<Int>) -> [[Value]]? {
    guard let sections else { return nil }
    return sections.sections[positions.clamped(to: 0..<sections.count)].map {
      [$0.key, .int($0.count)]
    }
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    guard let live = members.live, let sections else { return ["no view"] }
    return members.violations(reader) + sections.violations(live, reader)
  }

  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    members.describe(in: &explanation, schema)
    guard let sections else { return }
    explanation.view.append("in sections: \(sections.count)")
    explanation.memory += sections.byteCount
  }

  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    guard let previous = members.previous(changes, reader) else { return false }
    let sections = SectionsView(of: previous.view, previous.reader)
    let rows = previous.view.changeSet(ofSections: changes, reader, previous.next) { rows in
      sections.step(rows, previous.view, reader).separated
    }
    return !rows.isEmpty
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    members.whyNot(changes, reader)
  }
}
