import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Reverts the changes of a commit, whose objects are as it left them; `before` reads the version before it.
  /// Deleted objects get their numbers again. O(changes + elements of changed lists).
  func revert(_ record: CommitRecord, before: any ObjectReader) throws(StorageError) {
    hasChanged = true
    let classes = record.classes.filter { !$0.key.isNested }
      .sorted { $0.key.rawValue < $1.key.rawValue }
    let restored = classes.map { $0.value.deleted.keys.sorted() }
    for ((classID, _), numbers) in zip(classes, restored) {
      for number in numbers {
        try transaction.restore(classID.rawValue, number)
        log.create(ObjectID(classID, number))
      }
    }
    for ((classID, change), numbers) in zip(classes, restored) where !numbers.isEmpty {
      try fill(numbers, of: classID, change.deleted, from: before)
    }
    for (classID, change) in classes {
      for (property, delta) in change.properties.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        guard let property = reader.schema.classSchema(classID)?.property(property) else {
          continue
        }
        for number in delta.numbers.sorted() {
          try revert(delta, property, of: ObjectID(classID, number), before)
        }
      }
    }
    for isEmbedded in [false, true] {
      // What contains embedded objects deletes them too, which costs less than to unlink each first.
      for (classID, change) in classes {
        guard let classSchema = reader.schema.classSchema(classID),
          classSchema.isEmbedded == isEmbedded
        else { continue }
        let left = change.created.numbers.filter { reader.exists(ObjectID(classID, $0)) }
        try delete(left[...], of: classSchema)
      }
    }
  }

  /// Gives restored objects of a class, ascending, the values that they had, and new properties their defaults.
  private func fill(
    _ numbers: [ObjectNumber], of classID: ClassID, _ images: [ObjectNumber: DeletedObject],
    from before: any ObjectReader
  ) throws(StorageError) {
    guard let form = reader.layout.form(classID) else { return }
    let previous = before.schema.classSchema(classID)
    // Single values that refer to nothing are as an object's image has them; others are read whole.
    var imaged: [Layout.Column] = []
    var others: [PropertySchema] = []
    for (column, property) in zip(form.columns, form.schema.properties) where !column.isBacklinks {
      if column.isSingle, !column.isAny, previous?.property(property.id)?.type == property.type {
        imaged.append(column)
      } else {
        others.append(property)
      }
    }
    imaged.sort { $0.property < $1.property }
    for number in numbers {
      guard let values = images[number]?.values.entries else { continue }
      let object = ObjectID(classID, number)
      var next = 0
      for column in imaged {
        while next < values.count, values[next].property < column.property { next += 1 }
        if next < values.count, values[next].property == column.property {
          try begin(column, of: object, with: values[next].value)
        } else if column.isIndexed {
          try begin(column, of: object, with: .null)
        }
      }
      for property in others {
        try fill(property, of: object, from: before, isNew: previous?.property(property.id) == nil)
      }
    }
  }

  private func fill(
    _ property: PropertySchema, of object: ObjectID, from before: any ObjectReader, isNew: Bool
  ) throws(StorageError) {
    guard let content = isNew ? property.newContent : before.content(of: property, object) else {
      return
    }
    switch content {
    case .value(let value):
      guard let column = reader.layout.column(property.id, of: object.classID) else { return }
      try begin(column, of: object, with: value)
    case .list, .map: try assign(content, to: property, of: object)
    }
  }

  private func revert(
    _ delta: PropertyDelta, _ property: PropertySchema, of object: ObjectID,
    _ before: any ObjectReader
  ) throws(StorageError) {
    switch delta {
    case .values:
      guard let column = reader.layout.column(property.id, of: object.classID) else { return }
      try set(column, of: object, to: before.value(property.id, of: object))
    case .sets, .maps:
      try assign(before.content(of: property, object), to: property, of: object)
    case .lists(let lists):
      guard let list = lists[object.number] else { return }
      try revert(list, property, of: object, before)
    }
  }

  /// Reverts the operations on a list, so that its other elements keep their identity.
  private func revert(
    _ list: ListDelta, _ property: PropertySchema, of object: ObjectID,
    _ before: any ObjectReader
  ) throws(StorageError) {
    // The old index of each present element; nil for one that the commit added.
    var sources = list.pieces.flatMap { piece -> [Int?] in
      switch piece.source {
      case .old(let start): (start..<start + piece.count).map { $0 }
      case .fresh: Array(repeating: nil, count: piece.count)
      }
    }
    for index in sources.indices.reversed() where sources[index] == nil {
      try remove(at: index, from: property, of: object)
      sources.remove(at: index)
    }
    var order = sources.compactMap(\.self)
    // What the commit moved moves back, so that observers receive the inverse.
    let moved = Set(list.changeSet().moves.map(\.old))
    for (from, to) in order.movesToSort(moving: moved) {
      try move(from: from, to: to, in: property, of: object)
    }
    let kept = Set(order)
    for index in 0..<list.oldCount where !kept.contains(index) {
      let value = before.listElement(property.id, of: object, at: index)
      try insert([value], into: property, of: object, at: index)
    }
    for index in list.replaced.keys.sorted() {
      let value = before.listElement(property.id, of: object, at: index)
      try replace(at: index, in: property, of: object, with: value)
    }
  }
}

extension [Int] {
  /// Sorts distinct numbers by moving single elements, preferably those in `moved`; returns the moves.
  fileprivate mutating func movesToSort(moving moved: Set<Int>) -> [(from: Int, to: Int)] {
    let rest = filter { !moved.contains($0) }
    let stays = Set(LongestIncreasingSubsequence.indices(of: rest).map { rest[$0] })
    if stays.count == count { return [] }
    var moves: [(from: Int, to: Int)] = []
    var placed = stays.sorted()
    for number in sorted() where !stays.contains(number) {
      guard let from = firstIndex(of: number) else { continue }
      let rank = placed.partitionPoint { $0 < number }
      // Directly after the placed element before it.
      let before = rank > 0 ? firstIndex(of: placed[rank - 1]) : nil
      var to = before.map { $0 + 1 } ?? 0
      if from < to { to -= 1 }
      insert(remove(at: from), at: to)
      placed.insert(number, at: rank)
      if from != to { moves.append((from, to)) }
    }
    return moves
  }
}

extension PropertyDelta {
  /// The objects that have an entry.
  fileprivate var numbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    forEachNumber { numbers.append($0) }
    return numbers
  }
}
