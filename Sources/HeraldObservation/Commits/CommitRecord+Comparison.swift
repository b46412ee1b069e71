import HeraldModel
package import HeraldQuery

extension CommitRecord {
  /// What leads from one version to a later one, found by comparing every object of both: for when
  /// nobody knows any more what was done. O(store), where any other record costs O(changes).
  ///
  /// What cannot be seen in the two versions is not in it: values that changed and changed back, and
  /// of lists which operations were done; elements are matched by value, as many as can keep their
  /// order stay.
  package init(
    comparing old: any ObjectReader, at oldVersion: Int, with new: any ObjectReader,
    at newVersion: Int
  ) {
    self.init(version: newVersion, schemaChanged: old.schema != new.schema)
    firstVersion = oldVersion + 1
    var ids = Set(old.schema.classes.map(\.id))
    ids.formUnion(new.schema.classes.map(\.id))
    for id in ids {
      let change = ClassComparison(id, old, new).change()
      if !change.isEmpty { classes[id] = change }
    }
  }
}

/// The comparison of one class in two versions.
private struct ClassComparison {
  let classID: ClassID
  let old: any ObjectReader
  let new: any ObjectReader
  /// Those that are the same in both schemas.
  let kept: [PropertySchema]

  init(_ classID: ClassID, _ old: any ObjectReader, _ new: any ObjectReader) {
    self.classID = classID
    self.old = old
    self.new = new
    let before = old.schema.classSchema(classID)
    kept = (new.schema.classSchema(classID)?.properties ?? []).filter { property in
      before?.property(property.id)?.type == property.type
    }
  }

  func change() -> ClassChange {
    var change = ClassChange()
    let blocks = max(old.blockCount(of: classID), new.blockCount(of: classID))
    for block in 0..<blocks {
      let before = presence(old, block)
      let after = presence(new, block)
      for bit in BlockBits(after & ~before) { change.created.insert(block * blockSize + bit) }
      for bit in BlockBits(before & ~after) {
        let number = block * blockSize + bit
        change.deleted[number] = DeletedObject(ObjectID(classID, number), in: old)
      }
      for bit in BlockBits(before & after) { compare(block * blockSize + bit, &change) }
    }
    return change
  }

  private func presence(_ reader: any ObjectReader, _ block: Int) -> BlockMask {
    block < reader.blockCount(of: classID) ? reader.presence(of: classID, block: block) : .zero
  }

  private func compare(_ number: ObjectNumber, _ change: inout ClassChange) {
    for property in kept {
      switch property.type.shape {
      case .single: compareValues(of: property, number, &change)
      case .list: compareLists(of: property, number, &change)
      case .set:
        let before = Set(old.elements(property.id, of: ObjectID(classID, number)))
        let after = Set(new.elements(property.id, of: ObjectID(classID, number)))
        if before != after {
          change.sets[property.id, default: [:]][number] = SetChange(
            inserted: after.subtracting(before), removed: before.subtracting(after))
        }
      case .map: compareMaps(of: property, number, &change)
      case .backlinks: break
      }
    }
  }

  private func compareValues(
    of property: PropertySchema, _ number: ObjectNumber, _ change: inout ClassChange
  ) {
    let (id, object) = (property.id, ObjectID(classID, number))
    let (before, after) = (old.value(id, of: object), new.value(id, of: object))
    guard before != after else { return }
    change.columns[id, default: [:]][number] = before
    if let inside = InsideChange(comparing: before, with: after) {
      change.insides[id, default: [:]][number] = inside
    }
  }

  private func compareLists(
    of property: PropertySchema, _ number: ObjectNumber, _ change: inout ClassChange
  ) {
    let (id, object) = (property.id, ObjectID(classID, number))
    let (before, after) = (old.elements(id, of: object), new.elements(id, of: object))
    guard before != after else { return }
    let list = ListChange(comparing: before, with: after) {
      if case .link(let target) = $0 { !new.exists(target) } else { false }
    }
    change.lists[id, default: [:]][number] = list
    if property.type.element == .any {
      change.insides[id, default: [:]][number] = InsideChange(list, to: after)
    }
  }

  private func compareMaps(
    of property: PropertySchema, _ number: ObjectNumber, _ change: inout ClassChange
  ) {
    let (id, object) = (property.id, ObjectID(classID, number))
    let (before, after) = (old.entries(id, of: object), new.entries(id, of: object))
    let map = MapChange(comparing: before, with: after)
    guard !map.isEmpty else { return }
    change.maps[id, default: [:]][number] = map
    if property.type.element == .any {
      change.insides[id, default: [:]][number] = InsideChange(comparing: before, with: after)
    }
  }
}

extension ObjectReader {
  fileprivate func elements(_ property: PropertyID, of object: ObjectID) -> [Value] {
    contents(property, .list, of: object).elements
  }

  fileprivate func entries(_ property: PropertyID, of object: ObjectID) -> MapEntries {
    let contents = contents(property, .map, of: object)
    return MapEntries(zip(contents.keys, contents.elements))
  }
}

extension MapChange {
  fileprivate init(comparing old: MapEntries, with new: MapEntries) {
    self.init(
      inserted: KeySet(new.keys.filter { old[$0] == nil }),
      removed: old.filter { new[$0.key] == nil },
      modified: old.filter { key, value in new[key].map { $0 != value } ?? false })
  }
}

extension ListChange {
  /// The change between two lists of which only the elements are known: equal ones are matched in
  /// order, and between two that stay an element that came took the place of one that went. `isLost`
  /// says of which old elements that cannot be: their objects are gone. O(n log n).
  init(comparing old: [Value], with new: [Value], isLost: (Value) -> Bool = { _ in false }) {
    var origins = Self.origins(of: new, in: old)
    let replaced = Self.pairRest(&origins, old, isLost)
    let matched = origins.indices.filter { origins[$0] != nil }
    let subsequence = LongestIncreasingSubsequence.indices(of: matched.compactMap { origins[$0] })
    let steady = Set(subsequence.map { matched[$0] })
    var pieces: [Piece] = []
    for (index, origin) in origins.enumerated() {
      var piece = Piece(source: .fresh, count: 1)
      if let origin {
        piece = Piece(source: .old(origin), count: 1, isMoved: !steady.contains(index))
      }
      if let last = pieces.last, let joined = last.joined(with: piece) {
        pieces[pieces.count - 1] = joined
      } else {
        pieces.append(piece)
      }
    }
    let kept = Set(origins.compactMap(\.self))
    self.init(oldCount: old.count, pieces: pieces, differs: old != new)
    self.replaced = replaced
    taken = old.indices.filter { !kept.contains($0) }.map {
      TakenElement(oldIndex: $0, value: old[$0])
    }
    Value.list(old).forEachLinkDifference(from: .list(new)) { relinked.insert($0) }
  }

  /// Gives elements that came the places of those that went, where both stand between the same
  /// neighbours; answers the old elements that were replaced so.
  private static func pairRest(
    _ origins: inout [Int?], _ old: [Value], _ isLost: (Value) -> Bool
  ) -> [Int: Value] {
    let matched = origins.indices.filter { origins[$0] != nil }
    let subsequence = LongestIncreasingSubsequence.indices(of: matched.compactMap { origins[$0] })
    let known = Set(origins.compactMap(\.self))
    var replaced: [Int: Value] = [:]
    var (next, from) = (0, 0)
    for place in subsequence.map({ matched[$0] }) + [origins.count] {
      let end = place < origins.count ? origins[place] ?? old.count : old.count
      var gone = (from..<end).filter { !known.contains($0) && !isLost(old[$0]) }[...]
      for index in next..<place where origins[index] == nil {
        guard let taken = gone.popFirst() else { break }
        origins[index] = taken
        replaced[taken] = old[taken]
      }
      (next, from) = (place + 1, end + 1)
    }
    return replaced
  }

  /// For each new element the index of the old one that it is; nil for those that came. What both
  /// lists begin and end with is matched first.
  private static func origins(of new: [Value], in old: [Value]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: new.count)
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter && old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start && old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    for index in 0..<start { origins[index] = index }
    for index in 0..<end { origins[new.count - 1 - index] = old.count - 1 - index }
    var places: [Value: [Int]] = [:]
    for index in (start..<old.count - end).reversed() {
      places[old[index], default: []].append(index)
    }
    for index in start..<new.count - end { origins[index] = places[new[index]]?.popLast() }
    return origins
  }
}

extension ListChange.Piece {
  /// This run with the next one, where they are neighbours in the old list too.
  fileprivate func joined(with next: ListChange.Piece) -> ListChange.Piece? {
    guard isMoved == next.isMoved else { return nil }
    switch (source, next.source) {
    case (.fresh, .fresh): break
    case (.old(let start), .old(let place)) where start + count == place: break
    case (.old, .old), (.old, .fresh), (.fresh, .old): return nil
    }
    var joined = self
    joined.count += next.count
    return joined
  }
}
