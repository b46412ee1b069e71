import HeraldModel
import HeraldQuery

/// Observed groups of the rows of a query.
final class GroupsSubject: Subject {
  private let grouping: BoundGrouping
  /// The members: results with the paths of the groups and the aggregates as key paths.
  private let members: ResultsSubject
  /// Those of the members, and of the objects on the paths.
  private let classes: Set<ClassID>
  private(set) var groups: GroupsView?
  /// What the keys and the clauses after the braces read; nil before the first call, and for most groupings.
  private var reads: FollowedReads<BoundGrouping>?

  init(_ grouping: BoundGrouping, of source: ObjectProperty?) {
    self.grouping = grouping
    let paths = grouping.memberPaths
    members = ResultsSubject(grouping.query, of: source, .keyPaths(paths))
    classes = Set(paths.flatMap { $0.steps.map(\.classID) } + [grouping.query.classID])
  }

  var hasRows: Bool { true }
  var observedProperty: ObjectProperty? { members.observedProperty }
  var isOrphan: Bool { members.isOrphan }

  /// Leaves the subscriptions to `begin`, which knows what the rows depend on.
  func register(_ observer: Observer, _ interest: Interest) {}

  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? {
    guard members.begin(observer, interest, reader) != nil, let live = members.live else {
      return nil
    }
    let bound = grouping.atPresent(reader)
    if !bound.reads.isEmpty { reads = FollowedReads(bound, for: observer, interest, reader) }
    let view = GroupsView(bound, of: live.members, reader)
    groups = view
    interest.following.insertInOrder(observer)
    return view.count
  }

  func learn(_ schema: Schema, _ observer: Observer, _ interest: Interest) {
    members.learn(schema, observer, interest)
  }

  func depends(on losses: SchemaLosses, _ schema: Schema) -> Bool {
    members.depends(on: losses, schema)
      || grouping.memberPaths.contains { $0.depends(on: losses) }
      || grouping.reads.contains { $0.depends(on: losses) }
  }

  /// An object that was added and deleted is in none of the commits as one.
  func mayChange(_ parts: [PendingChanges]) -> Bool {
    let others = (members.reads?.classes ?? []).union(reads?.classes ?? [])
    return parts.contains { part in
      part.record.classes.keys.contains { classes.contains($0) || others.contains($0) }
    }
  }

  func leave(_ observer: Observer, _ interest: Interest) {
    interest.following.removeInOrder(observer)
    members.leave(observer, interest)
    reads?.leave()
    reads = nil
    groups = nil
  }

  /// O(changed members + changed groups · log groups). Of several commits each is followed on its own, since a group is
  /// modified in each in which its aggregates differ.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? {
    guard let groups else { return nil }
    if let owner = observedProperty?.object,
      changes.change(of: owner.classID)?.deleted[owner.number] != nil
    {
      return deletion(ofOwner: true)
    }
    for (commit, reader) in changes.commits(reader) {
      let delta: (left: [Int], entered: [(member: Int, object: ObjectNumber)])?
      let bound: BoundGrouping?
      do throws(QueryError) {
        delta = try members.advanceMembers(commit, reader)
        bound = try reads?.advance(commit, reader)
      } catch {
        return .collection(.error(.cannotContinue(error.message)))
      }
      for member in delta?.left ?? [] { groups.leave(member) }
      for member in delta?.entered ?? [] { groups.enter(member.member, member.object, reader) }
      groups.endCommit(bound, reader)
    }
    let changeSet = groups.changeSet(reader)
    return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
  }

  func deletion(ofOwner ownerDeleted: Bool) -> Report? {
    guard let groups, ownerDeleted || groups.count > 0 else { return nil }
    return .update(
      ChangeSet(deletions: Array(0..<groups.count)), ownerDeleted: ownerDeleted)
  }

  var rowWatch: RowWatch? { members.rowWatch }

  func groups(at positions: Range<Int>) -> [[Value]]? {
    groups?.rows(at: positions).map(\.values)
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    guard let live = members.live, let groups else { return ["no view"] }
    return members.violations(reader) + groups.violations(live.members.map(\.object), reader)
  }

  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    members.describe(in: &explanation, schema)
  }

  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    members.isConcerned(changes, reader)
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    let reason = members.whyNot(changes, reader)
    // An aggregate may be the same of other values.
    guard case .keyPathNotTouched(_, let changed) = reason, members.isConcerned(changes, reader)
    else { return reason }
    return .asBefore(changed: changed)
  }
}
