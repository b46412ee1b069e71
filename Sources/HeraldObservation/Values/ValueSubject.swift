import HeraldModel
import HeraldQuery

/// An observed value: a single row.
final class ValueSubject: Subject {
  private let bound: BoundValue
  /// What must begin to hold for a report; nil if each difference is reported.
  private let condition: ColumnQuery?
  private var reads: FollowedReads<BoundValue>?
  /// What the condition reads besides the value.
  private var conditionReads: FollowedReads<BoundQuery>?
  /// At the last delivery, reported or not.
  private var current = Value.null
  /// Whether the condition held at the last delivery.
  private var held = false
  /// The last commit that may have made another value and was not reported.
  private var unreportedVersion: Int?
  private(set) var isOrphan = false

  init(_ bound: BoundValue, when condition: ColumnQuery?) {
    self.bound = bound
    self.condition = condition
  }

  var hasRows: Bool { true }

  /// Leaves the subscriptions to `begin`: the session may advance before.
  func register(_ observer: Observer, _ interest: Interest) {}

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    let value = (try? bound.bound(at: reader)) ?? bound
    if reader.isInterrupted { return nil }
    reads = FollowedReads(value, for: observer, interest, reader)
    current = value.value
    held = holds(current, reader)
    if let query = condition?.query, !query.reads.isEmpty {
      conditionReads = FollowedReads(query.atPresent(reader), for: observer, interest, reader)
    }
    isOrphan = bound.owners.contains { !reader.exists($0) }
    return 1
  }

  private func holds(_ value: Value, _ reader: any ObjectReader) -> Bool {
    condition.map { !$0.rows(of: [[value]], reader).isEmpty } ?? false
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    bound.reads.contains { $0.depends(on: losses) }
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    reads?.leave()
    conditionReads?.leave()
    (reads, conditionReads) = (nil, nil)
  }

  /// What a change of the reads costs: that of the number of rows or of an aggregate follows the change.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let reads else { return nil }
    do throws(QueryError) {
      let last = reads.query
      let isOwnerDeleted = last.owners.contains {
        changes.change(of: $0.classID)?.deleted[$0.number] != nil
      }
      _ = try conditionReads?.advance(changes, reader)
      let next =
        isOwnerDeleted
        ? try last.bound(at: reader, keepsObjects: true).value
        : try reads.advance(changes, reader)?.value ?? current
      let old = current
      current = next
      let begins = holds(next, reader)
      defer { held = begins }
      if isOwnerDeleted { return .value(old: old, new: next, isLast: true) }
      guard condition == nil ? next != old : begins && !held else {
        unreportedVersion = changes.lastVersion
        return nil
      }
      return .value(old: old, new: next, isLast: false)
    } catch {
      return .collection(.error(.cannotContinue(error.message)))
    }
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    let changed = changes.record.changedNames(reader.schema)
    if unreportedVersion != changes.lastVersion { return .untouched(changed: changed) }
    return condition == nil
      ? .asBefore(changed: changed) : .conditionAsBefore(holds: held, changed: changed)
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard ownerDeleted || !current.isNull else { return nil }
    let old = current
    if !ownerDeleted { current = .null }
    return .value(old: old, new: current, isLast: ownerDeleted)
  }

  /// The value, for the first report, which only has its number of rows.
  func groups(at positions: Range<Int>) -> [[Value]]? {
    reads == nil ? nil : positions.contains(0) ? [[current]] : []
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    guard reads != nil else { return ["no value"] }
    let value = try? bound.bound(at: reader)
    return value.map { $0.value == current } ?? true ? [] : ["the value is \(current)"]
  }

  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    explanation.view.append("a value")
    for dependency in bound.reads.flatMap(\.dependencies) {
      switch dependency {
      case .path(let path, from: _): explanation.depend(on: [path], schema)
      case .population(let classID):
        let name = schema.name(of: classID)
        if !explanation.classes.contains(name) { explanation.classes.append(name) }
      }
    }
    explanation.rows = reads == nil ? nil : 1
  }
}
