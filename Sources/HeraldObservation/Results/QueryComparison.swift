package import HeraldModel
package import HeraldQuery

/// Compares the rows of a query at two versions end to end, by the record of the commits in between: only objects that
/// it changed, and those with a path of the query to one of them, are read.
package struct QueryComparison {
  private let query: BoundQuery
  private let changes: PendingChanges
  private let old: any ObjectReader
  /// The objects in which embedded ones changed.
  private let owners: Set<ObjectNumber>
  private let new: any ObjectReader

  /// - Parameters:
  ///   - query: Without values that it read from the store when it was bound.
  ///   - record: The commits in between, none of which changed the schema.
  ///   - old: Reads the version before them.
  ///   - new: Reads the version after them.
  package init(
    _ query: BoundQuery, _ record: CommitRecord, from old: any ObjectReader,
    to new: any ObjectReader
  ) {
    self.query = query
    changes = PendingChanges(stamp: 0, record: record)
    self.old = old
    self.new = new
    owners = record.owners(ofPartsIn: query.classID, new)
  }

  /// Returns what changed in the rows. Modifications are those of the objects' own properties, and of embedded objects.
  ///
  /// O(changes · log changes) to find out what changed, then O(objects / 256) to count positions, for which a
  /// condition is evaluated once for each object; with a sort, a limit or `distinct` O(rows · log rows).
  package func comparedRows() -> ComparedRows {
    query.stages.isEmpty ? changesInOrderOfCreation() : changesOfStages()
  }

  // MARK: In order of creation

  private func changesInOrderOfCreation() -> ComparedRows {
    var (removed, added, modified): ([ObjectNumber], [ObjectNumber], [ObjectNumber]) = ([], [], [])
    for number in candidates(through: query.predicate.dependencies) {
      if new.isInterrupted { return ComparedRows() }
      switch (matches(number, old), matches(number, new)) {
      case (true, false): removed.append(number)
      case (false, true): added.append(number)
      case (true, true): if isModified(number) { modified.append(number) }
      case (false, false): break
      }
    }
    if removed.isEmpty, added.isEmpty, modified.isEmpty { return ComparedRows() }
    let rows = MemberSet(query.members(new))
    /// The position among the old rows follows from that among the new ones.
    func oldPosition(_ number: ObjectNumber) -> Int {
      rows.position(of: number) + removed.partitionPoint { $0 < number }
        - added.partitionPoint { $0 < number }
    }
    return ComparedRows(
      changeSet: ChangeSet(
        deletions: removed.map(oldPosition), insertions: added.map { rows.position(of: $0) },
        modifications: modified.map(oldPosition),
        modificationsNew: modified.map { rows.position(of: $0) }),
      objects: removed + added + modified)
  }

  private func matches(_ number: ObjectNumber, _ reader: any ObjectReader) -> Bool {
    reader.exists(ObjectID(query.classID, number)) && query.predicate.matches(number, reader)
  }

  // MARK: With stages

  private func changesOfStages() -> ComparedRows {
    let (before, after) = (query.rows(old), query.rows(new))
    let orders = query.sortOrders
    let reordered = candidates(through: orders.flatMap(\.dependencies)).filter { number in
      orders.contains { $0.keyValues(of: number, old) != $0.keyValues(of: number, new) }
    }
    let modified = candidates(through: []).filter(isModified)
    return ComparedRows(
      ChangeSet(
        from: before, to: after, modified: RowNumbers(modified), reordered: RowNumbers(reordered)),
      from: before, to: after)
  }

  // MARK: What may differ

  /// The objects of the class that the record changed, and those from which a path leads to a change; ascending.
  private func candidates(through paths: [PropertyPath]) -> [ObjectNumber] {
    var found = paths.isEmpty ? [] : paths.map { PathWatch($0) }.roots(changes, new)
    found += owners
    if let change = changes.change(of: query.classID) {
      found += change.created.numbers
      found += change.deleted.keys
      for delta in change.properties.values { delta.forEachNumber { found.append($0) } }
    }
    found.sort()
    var count = 0
    for number in found where count == 0 || found[count - 1] != number {
      found[count] = number
      count += 1
    }
    found.removeSubrange(count...)
    return found
  }

  private func isModified(_ number: ObjectNumber) -> Bool {
    let object = ObjectID(query.classID, number)
    return old.exists(object) && new.exists(object) && old.differs(from: new, at: object)
  }
}

extension ObjectReader {
  /// Whether an object, or one that is embedded in it, has another value here than in a later version, in a property that
  /// both have.
  package func differs(from later: any ObjectReader, at object: ObjectID) -> Bool {
    guard let properties = schema.classSchema(object.classID)?.properties,
      let others = later.schema.classSchema(object.classID)
    else { return false }
    return properties.contains { property in
      guard let other = others.property(property.id), !property.type.isBacklinks else {
        return false
      }
      let (shape, otherShape) = (property.type.shape, other.type.shape)
      if shape != otherShape { return true }
      let elements: [Value]
      if shape == .single {
        elements = [value(property.id, of: object)]
        if elements[0] != later.value(property.id, of: object) { return true }
      } else {
        let contents = contents(property.id, shape, of: object)
        if contents != later.contents(property.id, shape, of: object) { return true }
        elements = contents.elements
      }
      let target = property.type.linkedClass.flatMap { schema.classSchema($0) }
      guard target?.isEmbedded == true else { return false }
      return elements.contains { element in
        if case .link(let part) = element { differs(from: later, at: part) } else { false }
      }
    }
  }
}

extension CommitRecord {
  /// Returns the objects of a class in which embedded objects were added or changed. `reader` is at the record's last version.
  /// O(changed embedded objects · their depth).
  package func owners(
    ofPartsIn classID: ClassID, _ reader: any ObjectReader
  ) -> Set<ObjectNumber> {
    let links = reader.schema.linksToParts
    var owners: Set<ObjectNumber> = []
    var seen: Set<ObjectID> = []
    for (partClass, change) in classes where links[partClass] != nil {
      var numbers = Array(change.created.numbers)
      for delta in change.properties.values { delta.forEachNumber { numbers.append($0) } }
      for number in numbers {
        var current: ObjectID? = ObjectID(partClass, number)
        while let part = current, seen.insert(part).inserted {
          current = reader.owner(of: part, by: links[part.classID] ?? [])
          if let owner = current, owner.classID == classID { owners.insert(owner.number) }
        }
      }
    }
    return owners
  }
}

extension Schema {
  /// The properties that may hold embedded objects, by the class of these.
  fileprivate var linksToParts: [ClassID: [(origin: ClassID, property: PropertyID)]] {
    var links: [ClassID: [(origin: ClassID, property: PropertyID)]] = [:]
    for origin in classes {
      for property in origin.properties where !property.type.isBacklinks {
        guard let target = property.type.linkedClass, classSchema(target)?.isEmbedded == true
        else { continue }
        links[target, default: []].append((origin.id, property.id))
      }
    }
    return links
  }
}

extension ObjectReader {
  fileprivate func owner(
    of part: ObjectID, by links: [(origin: ClassID, property: PropertyID)]
  ) -> ObjectID? {
    var owner: ObjectID?
    for (origin, property) in links where owner == nil {
      forEachOrigin(of: part, origin: origin, property: property) { number, _ in
        owner = ObjectID(origin, number)
        return false
      }
    }
    return owner
  }
}
