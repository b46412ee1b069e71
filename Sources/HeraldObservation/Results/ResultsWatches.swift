import HeraldModel
import HeraldQuery

/// The watches of the paths that results depend on, shared by all results that depend on the same
/// paths in the same way.
final class ResultsWatches {
  struct Key: Hashable {
    let predicate: Set<ObjectIdentifier>
    let keys: Set<ObjectIdentifier>
    let rows: Set<ObjectIdentifier>
  }

  /// The objects that changes concern, ascending.
  final class Found {
    /// What predicates have read of them; nil where only one reads.
    let known: KnownValues?
    /// The only object that the changes, of one value, may concern; nil where there may be more.
    @exclusivity(unchecked) private(set) var only: ObjectID?
    /// Whether there is an object whose match may have changed.
    let isMatching: Bool
    /// Whether there is one whose sort or distinct values may have changed.
    let isRekeyed: Bool
    /// Whether there is one that counts as modified.
    let isModified: Bool
    /// The objects of each kind; nil where `only` alone follows from the changes.
    private let several: Several?
    /// What was found of an object in the rows of several views.
    @exclusivity(unchecked) var shared = CreationRows.SharedResults()
    // The keys that predicates have read of the only object; nil for values without one. Most need no array.
    @exclusivity(unchecked) private var firstKey: KnownKey?
    @exclusivity(unchecked) private var secondKey: KnownKey?
    @exclusivity(unchecked) private var otherKeys: [KnownKey] = []

    /// Whether the objects were searched for.
    fileprivate var hasSeveral: Bool { several != nil }

    private struct Several {
      var (matching, rekeyed, modified): ([ObjectNumber], [ObjectNumber], [ObjectNumber])
    }

    private struct KnownKey {
      let property: PropertyID
      let kind: KeyBounds.Kind
      let key: Int?

      // By the numbers, since comparing the types of another module is a call.
      func isFor(_ bounds: KeyBounds) -> Bool {
        property.rawValue == bounds.property.rawValue && kind == bounds.kind
      }
    }

    fileprivate init(
      _ watches: ResultsWatches, _ changes: PendingChanges, _ reader: any ObjectReader
    ) {
      known = watches.uses > 1 ? KnownValues() : nil
      if let single = changes.single, case .value(let property, let number, _) = single.kind,
        watches.areDirect(single.classID)
      {
        only = ObjectID(single.classID, number)
        several = nil
        isMatching = watches.predicate.contains(property)
        isRekeyed = watches.keys.contains(property)
        isModified = watches.rows.deep != nil || watches.rows.paths.contains(property)
        return
      }
      let found = Several(
        matching: watches.predicate.roots(changes, reader),
        rekeyed: watches.keys.roots(changes, reader),
        modified: watches.rows.modified(changes, reader))
      several = found
      isMatching = !found.matching.isEmpty
      isRekeyed = !found.rekeyed.isEmpty
      isModified = !found.modified.isEmpty
      if let single = changes.single, case .value(_, let number, _) = single.kind,
        found.matching.hasNothing(but: number), found.rekeyed.hasNothing(but: number),
        found.modified.hasNothing(but: number)
      {
        only = ObjectID(single.classID, number)
      } else {
        only = nil
      }
    }

    /// Replaces the object by that of another change, of the same property.
    fileprivate func move(to object: ObjectID) {
      only = object
      forgetShared()
      if firstKey != nil { (firstKey, secondKey, otherKeys) = (nil, nil, []) }
    }

    /// Forgets what views of the same rows shared.
    fileprivate func forgetShared() { if !shared.isEmpty { shared = CreationRows.SharedResults() } }

    /// Those whose match may have changed.
    var matching: [ObjectNumber] { several?.matching ?? only(if: isMatching) }

    /// Those whose sort or distinct values may have changed.
    var rekeyed: [ObjectNumber] { several?.rekeyed ?? only(if: isRekeyed) }

    /// Those that count as modified if they are rows.
    var modified: [ObjectNumber] { several?.modified ?? only(if: isModified) }

    private func only(if isConcerned: Bool) -> [ObjectNumber] {
      if isConcerned, let only { [only.number] } else { [] }
    }

    /// What becomes of the only object in unsorted rows.
    enum Outcome {
      case nothing
      case modified(position: Int)
      case enters
      case leaves
    }

    /// Returns what becomes of the only object in rows where it had a position, or none. `matches` is whether it matches
    /// their predicate now.
    @inline(__always)
    func outcome(at old: Int?, matches: () -> Bool) -> Outcome {
      let isRow = isMatching ? matches() : old != nil
      guard let old else { return isRow ? .enters : .nothing }
      guard isRow else { return .leaves }
      return isModified ? .modified(position: old) : .nothing
    }

    /// Whether the values of the only object lie within bounds; `reader` must always be at the same version.
    func isOnly(within bounds: [KeyBounds], _ object: ObjectID, _ reader: any ObjectReader) -> Bool
    {
      for bound in bounds where !isOnly(within: bound, object, reader) { return false }
      return true
    }

    /// The same for one value.
    func isOnly(within bounds: KeyBounds, _ object: ObjectID, _ reader: any ObjectReader) -> Bool {
      guard let key = key(for: bounds, of: object, reader) else { return false }
      return bounds.lower <= key && key <= bounds.upper
    }

    /// The same for what a comparison of a query's shape is equal to.
    func isOnly(in part: QueryShape.Part, _ object: ObjectID, _ reader: any ObjectReader) -> Bool {
      switch part {
      case .within(let bounds): isOnly(within: bounds, object, reader)
      case .equal(let property, let text): text.isEqual(to: reader.value(property, of: object))
      }
    }

    private func key(
      for bounds: KeyBounds, of object: ObjectID, _ reader: any ObjectReader
    ) -> Int? {
      if let firstKey, firstKey.isFor(bounds) { return firstKey.key }
      if let secondKey, secondKey.isFor(bounds) { return secondKey.key }
      for known in otherKeys where known.isFor(bounds) { return known.key }
      let key = reader.value(bounds.property, of: object).key(among: bounds.kind)
      let known = KnownKey(property: bounds.property, kind: bounds.kind, key: key)
      if firstKey == nil {
        firstKey = known
      } else if secondKey == nil {
        secondKey = known
      } else {
        otherKeys.append(known)
      }
      return key
    }
  }

  let key: Key
  /// The watches of the paths that the predicate reads.
  let predicate: [PathWatch]
  /// The watches of the paths of sort and distinct keys.
  let keys: [PathWatch]
  /// The watches of modified rows.
  let rows: RowWatch
  /// The number of registered uses; at 0 the watches are released.
  @exclusivity(unchecked) var uses = 1
  /// What was found of the last change whose `subscribers` are known, if that follows from the change itself: used again
  /// for the next one of the same property.
  @exclusivity(unchecked) private var direct: Found?
  @exclusivity(unchecked) private var directSubscribers = 0

  init(predicate: [PathWatch], keys: [PathWatch], rows: RowWatch) {
    self.predicate = predicate
    self.keys = keys
    self.rows = rows
    let deep = rows.deep.map { [ObjectIdentifier($0)] } ?? []
    key = Key(
      predicate: Set(predicate.map { ObjectIdentifier($0) }),
      keys: Set(keys.map { ObjectIdentifier($0) }),
      rows: Set(rows.paths.map { ObjectIdentifier($0) } + deep))
  }

  /// Every path watch, once for each role.
  var paths: [PathWatch] { predicate + keys + rows.paths }

  /// What finds the changes that concern an observer which is in no predicate index.
  var every: RowWatch { RowWatch(paths: paths, deep: rows.deep) }

  /// Every path watch, without duplicates.
  var distinctPaths: [PathWatch] {
    var seen: Set<ObjectIdentifier> = []
    return paths.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Returns the objects that changes concern; finds them once for the same changes.
  @inline(__always)
  func found(_ changes: PendingChanges, _ reader: any ObjectReader) -> Found {
    if changes.lastWatches === self, let found = changes.lastFound { return found }
    if changes.subscribers > 0, uses == 1 { return foundDirectly(changes, reader) }
    let found = Found(self, changes, reader)
    (changes.lastWatches, changes.lastFound) = (self, found)
    return found
  }

  /// The same for a change of one value, for watches of one observer.
  private func foundDirectly(_ changes: PendingChanges, _ reader: any ObjectReader) -> Found {
    if directSubscribers == changes.subscribers, isKnownUniquelyReferenced(&direct),
      let direct, let only = changes.onlyObject
    {
      direct.move(to: only)
      return direct
    }
    let found = Found(self, changes, reader)
    if found.only == changes.onlyObject, !found.hasSeveral {
      (direct, directSubscribers) = (found, changes.subscribers)
    } else {
      (changes.lastWatches, changes.lastFound) = (self, found)
    }
    return found
  }

  /// Forgets what is of no use for other changes.
  func forgetShared() { direct?.forgetShared() }
}

extension [ObjectNumber] {
  /// Whether there is no other number than one, which is there once at most.
  func hasNothing(but number: ObjectNumber) -> Bool {
    isEmpty || count == 1 && self[0] == number
  }
}

extension ResultsWatches {
  /// Whether what a change of one value of a class concerns follows from the change itself.
  fileprivate func areDirect(_ classID: ClassID) -> Bool {
    (rows.deep?.isDirect(classID) ?? true) && predicate.areDirect(classID)
      && keys.areDirect(classID) && rows.paths.areDirect(classID)
  }
}

extension [PathWatch] {
  fileprivate func areDirect(_ classID: ClassID) -> Bool {
    for watch in self where !watch.isDirect || watch.root != classID { return false }
    return true
  }

  /// Whether a property is one of the paths.
  fileprivate func contains(_ property: PropertyID) -> Bool {
    for watch in self where watch.ownProperty == property { return true }
    return false
  }
}
