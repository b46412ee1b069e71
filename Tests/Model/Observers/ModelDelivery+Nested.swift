import HeraldModel
import HeraldObservation

extension ModelDelivery {
  /// What a token on a nested list or map must receive: it moves with the collection, and ends
  /// with it (2.5).
  func pendingNested(
    _ token: ModelToken, _ place: ModelInside, _ filter: ModelFilter, _ span: ModelSpan
  ) -> ModelExpectation? {
    let node = place.node(span.new)
    if node == nil { token.isLive = false }
    if token.isOrphan {
      return .notified("owner deleted") { event in
        switch event.collectionChange {
        case .update(ChangeSet(), ownerDeleted: true)?: nil
        case .mapUpdate(MapChangeSet(), ownerDeleted: true)?: nil
        case _: "kind"
        }
      }
    }
    let passed = (token.notified...version).map { states[$0]?[place.owner]?.inside }
    let expected = NestedExpectation(place.id, passed) { span.leadsToModified($0, filter) }
    if case .nothing = expected { return nil }
    return .notified("\(expected), rows \((node?.rows ?? []).text)") { event in
      guard let change = event.collectionChange else { return "kind" }
      guard event.rows == ModelRows(node?.rows ?? [], keys: node?.keys ?? []) else { return "rows" }
      return expected.fault(change)
    }
  }
}

extension NestedNode {
  /// The elements of a list, the values of a map in the order of its keys.
  var rows: [Value] {
    switch value {
    case .list(let values): values
    case .map(let entries): keys.map { entries[$0] ?? .null }
    case _: []
    }
  }

  var keys: [String] { if case .map(_, let entries) = self { entries.keys.sorted() } else { [] } }
}

extension ModelEvent {
  fileprivate var rows: ModelRows? {
    switch self {
    case .initial(_, let rows), .update(_, _, let rows), .mapUpdate(_, _, let rows): rows
    case _: nil
    }
  }

  fileprivate var collectionChange: DynamicCollectionChange? {
    switch self {
    case .update(let changes, let isGone, _):
      .update(changes.changeSet, ownerDeleted: isGone)
    case .mapUpdate(let changes, let isGone, _):
      .mapUpdate(
        MapChangeSet(
          deletions: changes.deletions, insertions: changes.insertions,
          modifications: changes.modifications), ownerDeleted: isGone)
    case _: nil
    }
  }
}
