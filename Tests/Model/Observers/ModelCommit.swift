import HeraldModel
import HeraldObservation

/// A property, by the index in its class.
struct ModelColumn: Hashable {
  var classID: ClassID
  var property: Int
}

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
  /// Those of these properties that are collections.
  private var collections: Set<ModelColumn> = []
  var moved: Set<Int> = []
  /// The list elements that hold another value than at the beginning (4.5).
  var replaced: Set<Int> = []
  /// Keys that were there before and after, with another value, and keys that were not.
  var replacedEntries: Set<Entry> = []
  var passingEntries: Set<Entry> = []
  /// Links that an object gained or lost (3.4).
  var links: Set<Link> = []
  /// The properties that were dropped or have another type, with whether they were collections, and the
  /// classes that were dropped.
  var losses: [ModelColumn: Bool] = [:]
  var lostClasses: Set<ClassID> = []

  init() {}

  init(_ transaction: ModelTransaction) {
    self.init(from: transaction.base, to: transaction.state)
    moved = transaction.moved
    (losses, lostClasses) = (transaction.losses, transaction.lostClasses)
  }

  /// Of two states with the same properties.
  init(from old: ModelStore, to new: ModelStore) {
    for type in old.objects.indices {
      for object in old.objects[type] { compare(object, new[object.id], type, new.schema) }
      for object in new.objects[type] where !old.exists(object.id) {
        compare(nil, object, type, new.schema)
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
      if !before.equals(after) {
        changed[id, default: []].insert(property)
        let column = ModelColumn(classID: id.classID, property: property)
        if known.isCollection { collections.insert(column) }
      }
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
    // Changes of a collection that is no more cannot be composed with later ones, nor those of a single
    // value with those of the collection that it has become.
    for (column, isCollection) in later.losses where isCollection { forget(column) }
    for column in later.collections where !collections.contains(column) { forget(column) }
    collections.formUnion(later.collections)
    losses.merge(later.losses) { $0 || $1 }
    lostClasses.formUnion(later.lostClasses)
    changed.merge(later.changed) { $0.union($1) }
    moved.formUnion(later.moved)
    replaced.formUnion(later.replaced)
    replacedEntries.formUnion(later.replacedEntries)
    passingEntries.formUnion(later.passingEntries)
    links.formUnion(later.links)
  }

  private mutating func forget(_ column: ModelColumn) {
    for id in changed.keys where id.classID == column.classID {
      changed[id]?.remove(column.property)
      if changed[id] == [] { changed[id] = nil }
    }
    collections.remove(column)
  }
}
