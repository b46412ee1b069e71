import HeraldModel
import HeraldObservation

/// What one commit changed, or several, found by comparing every object before and after each.
struct ModelCommit {
  struct Place: Hashable {
    var id: ObjectID
    var property: Int
  }

  /// One key of a map.
  struct Entry: Hashable {
    var place: Place
    var key: String
  }

  /// A link that an object has or has not, from some object of a class through a property.
  struct Link: Hashable {
    var target: ObjectID
    var type: Int
    var property: Int
  }

  /// The objects that were there before and after, with the indices of the properties whose value
  /// at commit differs from the one at the beginning (4.5).
  var changed: [ObjectID: Set<Int>] = [:]
  var moved: Set<Int> = []
  /// The list elements that hold another value than at the beginning (4.5).
  var replaced: Set<Int> = []
  /// Keys that were there before and after, with another value, and keys that were not.
  var replacedEntries: Set<Entry> = []
  var passingEntries: Set<Entry> = []
  /// Links that an object gained or lost (3.4).
  var links: Set<Link> = []

  init() {}

  init(_ transaction: ModelTransaction) {
    moved = transaction.moved
    for type in transaction.before.objects.indices {
      for old in transaction.before.objects[type] {
        compare(old, transaction.state[old.id], type, transaction.before.schema)
      }
      for new in transaction.state.objects[type] where !transaction.before.exists(new.id) {
        compare(nil, new, type, transaction.before.schema)
      }
    }
  }

  private mutating func compare(
    _ old: ModelObject?, _ new: ModelObject?, _ type: Int, _ schema: ModelSchema
  ) {
    guard let id = old?.id ?? new?.id else { return }
    for (property, known) in schema.classes[type].properties.enumerated() {
      let (before, after) = (old?.contents[property], new?.contents[property])
      if known.mayLink { noteLinks(before, after, type, property) }
      guard let before, let after else { continue }
      if !before.equals(after) { changed[id, default: []].insert(property) }
      noteReplaced(before.elements, after.elements)
      noteEntries(before.entries, after.entries, Place(id: id, property: property))
    }
  }

  private mutating func noteReplaced(_ old: [ModelElement], _ new: [ModelElement]) {
    guard !old.isEmpty, !new.isEmpty else { return }
    let values = Dictionary(uniqueKeysWithValues: old.map { ($0.serial, $0.value) })
    for element in new {
      if let value = values[element.serial], value != element.value {
        replaced.insert(element.serial)
      }
    }
  }

  private mutating func noteEntries(
    _ old: MapEntries, _ new: MapEntries, _ place: Place
  ) {
    for key in Set(old.keys).union(new.keys) {
      let entry = Entry(place: place, key: key)
      if old[key] == nil || new[key] == nil {
        passingEntries.insert(entry)
      } else if old[key] != new[key] {
        replacedEntries.insert(entry)
      }
    }
  }

  private mutating func noteLinks(
    _ old: ModelContent?, _ new: ModelContent?, _ type: Int, _ property: Int
  ) {
    var counts: [ObjectID: Int] = [:]
    if (old ?? new)?.isMap ?? false {
      // Under another key it is another link.
      let (before, after) = (old?.entries ?? [:], new?.entries ?? [:])
      for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
        for link in (before[key]?.links ?? []) + (after[key]?.links ?? []) { counts[link] = 1 }
      }
    } else {
      for link in old?.links ?? [] { counts[link, default: 0] -= 1 }
      for link in new?.links ?? [] { counts[link, default: 0] += 1 }
    }
    for (target, count) in counts where count != 0 {
      links.insert(Link(target: target, type: type, property: property))
    }
  }

  /// Coalesced commits are not compared end to end (4.5).
  mutating func add(_ later: ModelCommit) {
    changed.merge(later.changed) { $0.union($1) }
    moved.formUnion(later.moved)
    replaced.formUnion(later.replaced)
    replacedEntries.formUnion(later.replacedEntries)
    passingEntries.formUnion(later.passingEntries)
    links.formUnion(later.links)
  }
}
