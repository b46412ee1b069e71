import HeraldModel
package import HeraldQuery

extension CommitRecord {
  /// Creates the record that leads from one version to a later one by comparing every object of both: for
  /// when the log no longer reaches back. O(store), where any other record costs O(changes).
  ///
  /// Values that changed and changed back are not in it, nor are the operations on lists: elements are
  /// matched by value, and the largest number of them that keeps its order stays.
  package init(
    comparing old: any ObjectReader, at oldVersion: Int, with new: any ObjectReader,
    at newVersion: Int
  ) {
    self.init(version: newVersion, schemaChanged: old.schema != new.schema)
    firstVersion = oldVersion + 1
    var ids = Set(old.schema.classes.map(\.id))
    ids.formUnion(new.schema.classes.map(\.id))
    ids.formUnion([.nestedLists, .nestedMaps])
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
  /// The same versions with references to nested collections.
  let oldReferences: any ObjectReader
  let newReferences: any ObjectReader
  /// The properties with the same type in both schemas.
  let kept: [PropertySchema]

  init(_ classID: ClassID, _ old: any ObjectReader, _ new: any ObjectReader) {
    self.classID = classID
    self.old = old
    self.new = new
    oldReferences = old.references
    newReferences = new.references
    let before = old.schema.classSchema(classID)
    kept = (new.schema.classSchema(classID)?.properties ?? []).filter { property in
      before?.property(property.id)?.type == property.type
    }
  }

  func change() -> ClassChange {
    var change = ClassChange()
    let blocks = max(old.blockCount(of: classID), new.blockCount(of: classID))
    let images = BeforeImages(of: classID, in: old)
    for block in 0..<blocks {
      let before = presence(old, block)
      let after = presence(new, block)
      for bit in BlockBits(after & ~before) { change.created.insert(block * blockSize + bit) }
      for bit in BlockBits(before & ~after) {
        let number = block * blockSize + bit
        change.deleted[number] = images.image(of: number)
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
          change[property.id].sets[number] = SetDelta(
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
    let before = oldReferences.value(id, of: object)
    let after = newReferences.value(id, of: object)
    guard differ(before, after) else { return }
    change[id].values[number] = before
    noteLinks([before], [after], property, &change)
  }

  private func compareLists(
    of property: PropertySchema, _ number: ObjectNumber, _ change: inout ClassChange
  ) {
    let (id, object) = (property.id, ObjectID(classID, number))
    let before = oldReferences.elements(id, of: object)
    let after = newReferences.elements(id, of: object)
    guard before.count != after.count || zip(before, after).contains(where: differ) else { return }
    var list = ListDelta(comparing: before, with: after) {
      if case .link(let target) = $0 {
        !target.classID.isNested && !new.exists(target)
      } else {
        false
      }
    }
    if property.type.element == .any {
      list.touchNested(before)
      list.dropRestored { index, old in !differ(old, after[index]) }
      list.differs = true
      list.relinked = []
      Value.list(before.map(old.whole)).forEachLinkDifference(
        from: .list(after.map(new.whole))
      ) { list.relinked.insert($0) }
    }
    change[id].lists[number] = list
  }

  private func compareMaps(
    of property: PropertySchema, _ number: ObjectNumber, _ change: inout ClassChange
  ) {
    let (id, object) = (property.id, ObjectID(classID, number))
    let before = oldReferences.entries(id, of: object)
    let after = newReferences.entries(id, of: object)
    let map = MapDelta(comparing: before, with: after, differ)
    guard !map.isEmpty else { return }
    change[id].maps[number] = map
    noteLinks(Array(before.values), Array(after.values), property, &change)
  }

  /// Whether two stored values differ when they are read whole.
  private func differ(_ before: Value, _ after: Value) -> Bool {
    if before.nestedCollection == nil && after.nestedCollection == nil { return before != after }
    return old.whole(before) != new.whole(after)
  }

  private func noteLinks(
    _ before: [Value], _ after: [Value], _ property: PropertySchema, _ change: inout ClassChange
  ) {
    guard property.type.element == .any, !classID.isNested else { return }
    Value.list(before.map(old.whole)).forEachLinkDifference(from: .list(after.map(new.whole))) {
      change.relinked[property.id, default: []].insert($0)
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

extension MapDelta {
  fileprivate init(
    comparing old: MapEntries, with new: MapEntries, _ differ: (Value, Value) -> Bool
  ) {
    self.init(
      inserted: KeySet(new.keys.filter { old[$0] == nil }),
      removed: old.filter { new[$0.key] == nil },
      modified: old.filter { key, value in new[key].map { differ(value, $0) } ?? false })
  }
}

extension ListDelta {
  /// Creates the change between two lists of which only the elements are known. Equal elements are
  /// matched in order; between two matches, an inserted element counts as replacing a removed one, except
  /// where `isLost` holds for the removed one, whose object was deleted. O(n log n).
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
      RemovedElement(oldIndex: $0, value: old[$0])
    }
    Value.list(old).forEachLinkDifference(from: .list(new)) { relinked.insert($0) }
  }

  /// Records every old element that is kept and refers to a nested collection as replaced.
  fileprivate mutating func touchNested(_ old: [Value]) {
    for range in oldRanges {
      for index in range where old[index].nestedCollection != nil && replaced[index] == nil {
        replaced[index] = old[index]
      }
    }
  }

  /// Pairs inserted elements with removed ones between the same neighbours, and returns the old elements
  /// that were replaced in this way, by old index.
  private static func pairRest(
    _ origins: inout [Int?], _ old: [Value], _ isLost: (Value) -> Bool
  ) -> [Int: Value] {
    let matched = origins.indices.filter { origins[$0] != nil }
    let subsequence = LongestIncreasingSubsequence.indices(of: matched.compactMap { origins[$0] })
    let known = Set(origins.compactMap(\.self))
    var replaced: [Int: Value] = [:]
    var (next, from) = (0, 0)
    for anchor in subsequence.map({ matched[$0] }) + [origins.count] {
      let end = anchor < origins.count ? origins[anchor] ?? old.count : old.count
      var unmatched = (from..<end).filter { !known.contains($0) && !isLost(old[$0]) }[...]
      for index in next..<anchor where origins[index] == nil {
        guard let oldIndex = unmatched.popFirst() else { break }
        origins[index] = oldIndex
        replaced[oldIndex] = old[oldIndex]
      }
      (next, from) = (anchor + 1, end + 1)
    }
    return replaced
  }

  /// Returns for each new element the index of its old element; nil for inserted ones. The common prefix
  /// and suffix are matched first.
  private static func origins(of new: [Value], in old: [Value]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: new.count)
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter && old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start && old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    for index in 0..<start { origins[index] = index }
    for index in 0..<end { origins[new.count - 1 - index] = old.count - 1 - index }
    var oldIndices: [Value: [Int]] = [:]
    for index in (start..<old.count - end).reversed() {
      oldIndices[old[index], default: []].append(index)
    }
    for index in start..<new.count - end { origins[index] = oldIndices[new[index]]?.popLast() }
    return origins
  }
}

extension ListDelta.Piece {
  /// Returns this run joined with the next one; nil unless they are adjacent in the old list too.
  fileprivate func joined(with next: ListDelta.Piece) -> ListDelta.Piece? {
    guard isMoved == next.isMoved else { return nil }
    switch (source, next.source) {
    case (.fresh, .fresh): break
    case (.old(let start), .old(let nextStart)) where start + count == nextStart: break
    case (.old, .old), (.old, .fresh), (.fresh, .old): return nil
    }
    var joined = self
    joined.count += next.count
    return joined
  }
}
