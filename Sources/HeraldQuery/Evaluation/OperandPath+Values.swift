import HeraldModel

extension OperandPath {
  /// Calls `body` with every value at the end, until it returns false; returns whether all were
  /// visited. A nil link makes a path of single values nil; a path with a collection skips it.
  func forEachValue(_ scope: EvaluationScope, _ body: (Value) -> Bool) -> Bool {
    switch start {
    case .root: return walk(0, .link(scope.root), scope.reader, body)
    case .outer(let depth): return walk(0, .link(scope.outer[depth]), scope.reader, body)
    case .objects(let objects):
      return objects.allSatisfy { walk(0, .link($0), scope.reader, body) }
    case .keyed(let keyed):
      return walk(0, keyed.object(scope).map(Value.link) ?? .null, scope.reader, body)
    case .rows(let rows):
      let numbers = rows.numbers(scope.reader)
      // If the row does not exist, its path is nil.
      if numbers.isEmpty, rows.position != nil { return walk(0, .null, scope.reader, body) }
      return numbers.allSatisfy { number in
        walk(0, .link(ObjectID(rows.query.classID, number)), scope.reader, body)
      }
    case .extent(let classID):
      for block in 0..<scope.reader.blockCount(of: classID) {
        if scope.reader.isInterrupted { return false }
        let presence = scope.reader.presence(of: classID, block: block)
        for bit in BlockBits(presence) {
          let object = ObjectID(classID, block * blockSize + bit)
          guard walk(0, .link(object), scope.reader, body) else { return false }
        }
      }
      return true
    }
  }

  /// Returns the value of a path without collections.
  func value(_ scope: EvaluationScope) -> Value {
    var result = Value.null
    _ = forEachValue(scope) { value in
      result = value
      return false
    }
    return result
  }

  /// Follows the hop at `index` from `value`, which the hops before it led to.
  private func walk(
    _ index: Int, _ value: Value, _ reader: any ObjectReader, _ body: (Value) -> Bool
  ) -> Bool {
    guard index < hops.count else { return body(reader.whole(value)) }
    if case .part(let part) = hops[index].kind {
      if part.isCollection {
        return part.forEachValue(in: reader.whole(value)) { walk(index + 1, $0, reader, body) }
      }
      return walk(index + 1, part.value(in: value, reader), reader, body)
    }
    guard case .link(let object) = value else {
      return hops[index...].contains(where: \.isCollection) ? true : body(.null)
    }
    return walk(index, from: object, reader, body)
  }

  private func walk(
    _ index: Int, from object: ObjectID, _ reader: any ObjectReader, _ body: (Value) -> Bool
  ) -> Bool {
    switch hops[index].kind {
    case .single(let property):
      let source = leadsIntoAny(index) ? reader.references : reader
      return walk(index + 1, source.value(property, of: object), reader, body)
    case .element(let property, let position):
      let source = leadsIntoAny(index) ? reader.references : reader
      return walk(index + 1, element(property, position, object, source), reader, body)
    case .entry(let property, let key):
      let source = leadsIntoAny(index) ? reader.references : reader
      let value = source.mapValue(forKey: key, property, of: object) ?? .null
      return walk(index + 1, value, reader, body)
    case .elements(let property):
      var isComplete = true
      reader.forEachElement(property, of: object) { value in
        isComplete = walk(index + 1, value, reader, body)
        return isComplete
      }
      return isComplete
    case .keys(let property):
      for entry in 0..<reader.listCount(property, of: object) {
        let key = reader.mapKey(property, of: object, at: entry)
        guard walk(index + 1, .string(key), reader, body) else { return false }
      }
      return true
    case .origins(let origin, let property):
      var isComplete = true
      reader.forEachOrigin(of: object, origin: origin, property: property) { number, links in
        for _ in 0..<links where isComplete {
          isComplete = walk(index + 1, .link(ObjectID(origin, number)), reader, body)
        }
        return isComplete
      }
      return isComplete
    // A step into an `any` starts from a value, not from an object.
    case .part: return true
    }
  }

  /// Whether the next hop is a step into a value of type `any`, which does not need the whole value.
  private func leadsIntoAny(_ index: Int) -> Bool {
    guard index + 1 < hops.count, case .part(let part) = hops[index + 1].kind else { return false }
    if case .measure = part { return false }
    return true
  }

  private func element(
    _ property: PropertyID, _ position: ListPosition, _ object: ObjectID, _ reader: any ObjectReader
  ) -> Value {
    let count = reader.listCount(property, of: object)
    let index =
      switch position {
      case .index(let index): index
      case .last: count - 1
      }
    guard index >= 0, index < count else { return .null }
    return reader.listElement(property, of: object, at: index)
  }

  /// Returns the number of values at the end, without reading the elements of the last collection.
  func count(_ scope: EvaluationScope) -> Int {
    var total = 0
    guard let last = hops.last, last.isCollection else {
      if hops.isEmpty, case .extent(let classID) = start {
        return scope.reader.objectCount(of: classID)
      }
      if hops.isEmpty, case .rows(let rows) = start { return rows.count(scope.reader) }
      _ = forEachValue(scope) { value in
        total += value.isNull ? 0 : 1
        return true
      }
      return total
    }
    let owners = OperandPath(start: start, hops: hops.dropLast())
    _ = owners.forEachValue(scope) { value in
      total += last.count(of: value, scope.reader)
      return true
    }
    return total
  }
}

extension OperandPath.Hop {
  /// Returns the number of values that the hop leads to from one value.
  fileprivate func count(of value: Value, _ reader: any ObjectReader) -> Int {
    switch (kind, value) {
    case (.elements(let property), .link(let owner)), (.keys(let property), .link(let owner)):
      return reader.listCount(property, of: owner)
    case (.origins(let origin, let property), .link(let owner)):
      var total = 0
      reader.forEachOrigin(of: owner, origin: origin, property: property) { _, links in
        total += links
        return true
      }
      return total
    case (.part(.every), .list(let values)): return values.count
    case (.part(.every), .map(let entries)), (.part(.keys), .map(let entries)):
      return entries.count
    default: return 0
    }
  }
}
