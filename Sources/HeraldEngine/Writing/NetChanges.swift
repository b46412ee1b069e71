import HeraldModel
import HeraldObservation
import HeraldQuery

/// Reduces the mutations of a write to its net effect (observation 4.5): a value that was set back is no
/// change.
final class NetChanges {
  private let write: OpenWrite
  /// The version before the write.
  private let old: any ObjectReader
  /// The versions before and after the write, with references to nested collections.
  private lazy var before = old.references
  private lazy var after = write.reader.references
  /// The changes of the number of links, by class.
  private lazy var relinked = Dictionary(grouping: write.log.linkBalance) { $0.key.classID }
  /// The changes of nested collections found so far.
  private var lists: [ObjectID: ListDelta] = [:]
  private var maps: [ObjectID: MapDelta] = [:]

  init(_ write: OpenWrite, before: any ObjectReader) {
    self.write = write
    old = before
  }

  /// Returns the net changes, by class.
  func classChanges() -> [ClassID: ClassChange] {
    var changes: [ClassID: ClassChange] = [:]
    for (classID, change) in write.log.changes {
      let net = self.net(change, of: classID)
      if !net.isEmpty { changes[classID] = net }
    }
    return changes
  }

  private func net(_ change: ClassChange, of classID: ClassID) -> ClassChange {
    if isNet(change, of: classID) { return change }
    var net = change
    net.properties = [:]
    for (property, delta) in change.properties {
      let remaining = self.net(delta, property, of: classID)
      if !remaining.isEmpty { net.properties[property] = remaining }
    }
    for (_, balance) in relinked[classID] ?? [] {
      for (property, targets) in balance {
        let relinked = Set(targets.lazy.filter { $0.value != 0 }.map(\.key))
        if relinked.isEmpty { continue }
        net.relinked[property, default: []].formUnion(relinked)
      }
    }
    return net
  }

  /// Whether no value can have been set back: only single values were changed, once each.
  private func isNet(_ change: ClassChange, of classID: ClassID) -> Bool {
    if write.log.mayBeSetBack || !write.log.linkBalance.isEmpty { return false }
    return change.properties.allSatisfy { property, delta in
      guard case .values = delta else { return false }
      return write.reader.layout.column(property, of: classID)?.isAny != true
    }
  }

  private func net(
    _ delta: PropertyDelta, _ property: PropertyID, of classID: ClassID
  ) -> PropertyDelta {
    let column = write.reader.layout.column(property, of: classID)
    let isAny = column?.isAny == true
    switch delta {
    case .values(let values):
      func isUnchanged(_ number: ObjectNumber, _ old: Value) -> Bool {
        guard let column, !isAny else {
          return isEqual(old, after.value(property, of: ObjectID(classID, number)))
        }
        return old == write.reader.value(column, number)
      }
      guard values.contains(where: isUnchanged) else { return delta }
      return .values(values.filter { !isUnchanged($0, $1) })
    case .lists(let lists):
      var changed: [ObjectNumber: ListDelta] = [:]
      for (owner, list) in lists where !list.isEmpty {
        let net = self.net(list, property, of: ObjectID(classID, owner), isAny: isAny)
        if !net.isEmpty { changed[owner] = net }
      }
      return .lists(changed)
    case .sets(let sets): return .sets(sets.filter { !$0.value.isEmpty })
    case .maps(let maps):
      var changed: [ObjectNumber: MapDelta] = [:]
      for (owner, map) in maps {
        let net = self.net(map, property, of: ObjectID(classID, owner), isAny: isAny)
        if !net.isEmpty { changed[owner] = net }
      }
      return .maps(changed)
    }
  }

  private func net(
    _ list: ListDelta, _ property: PropertyID, of owner: ObjectID, isAny: Bool
  ) -> ListDelta {
    if let known = lists[owner] { return known }
    var net = list
    if isAny {
      net.dropRestored { index, old in
        isEqual(old, after.listElement(property, of: owner, at: index))
      }
    }
    net.settle(
      old: { before.whole(before.listElement(property, of: owner, at: $0)) },
      new: { after.whole(after.listElement(property, of: owner, at: $0)) })
    if isAny {
      // The links in nested collections are those of the property, too.
      let balance = write.log.linkBalance[owner]?[property] ?? [:]
      net.relinked = Set(balance.lazy.filter { $0.value != 0 }.map(\.key))
    }
    if owner.classID.isNested { lists[owner] = net }
    return net
  }

  private func net(
    _ map: MapDelta, _ property: PropertyID, of owner: ObjectID, isAny: Bool
  ) -> MapDelta {
    guard isAny else { return map }
    if let known = maps[owner] { return known }
    var net = map
    net.modified = map.modified.filter { key, old in
      !isEqual(old, after.mapValue(forKey: key, property, of: owner) ?? .null)
    }
    if owner.classID.isNested { maps[owner] = net }
    return net
  }

  /// Whether two stored values are equal when they are read whole.
  private func isEqual(_ old: Value, _ new: Value) -> Bool {
    switch (old.nestedCollection, new.nestedCollection) {
    case (nil, nil): old == new
    case (let previous?, let latter?) where previous == latter: !differs(previous)
    case (_?, _?): before.whole(old) == after.whole(new)
    case (nil, _?), (_?, nil): false
    }
  }

  /// Whether the contents of a nested collection differ.
  private func differs(_ collection: ObjectID) -> Bool {
    guard let delta = write.log.changes[collection.classID]?.properties[.elements] else {
      return false
    }
    if let list = delta.lists[collection.number] {
      return net(list, .elements, of: collection, isAny: true).differs
    }
    guard let map = delta.maps[collection.number] else { return false }
    return !net(map, .elements, of: collection, isAny: true).isEmpty
  }
}
