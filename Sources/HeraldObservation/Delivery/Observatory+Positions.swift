package import HeraldModel
package import HeraldQuery

extension Observatory {
  /// The objects in some of the rows that an observer of results, a list of links or backlinks keeps:
  /// as it was told last, or is being told. Positions beyond the rows are left out. Nil where nothing
  /// was told yet, and where rows are no objects or stand by their values. `reader` is at the version
  /// that was told: a list of which no object is watched is read there. O(positions · log rows).
  package func objects(
    of token: TokenID, at positions: Range<Int>, _ reader: any ObjectReader
  ) -> [ObjectID]? {
    guard let subject = observers[token]?.subject else { return nil }
    switch subject {
    case .results(let results): return results.live?.view.objects(at: positions)
    case .collection(let collection): return collection.live?.objects(at: positions, reader)
    case .store, .object, .property, .projection: return nil
    }
  }
}

extension Observatory {
  /// The values in some of the rows that an observer of a list inside a value keeps. O(positions).
  package func values(of token: TokenID, at positions: Range<Int>) -> [Value]? {
    guard case .list(let values)? = insideValue(of: token) else { return nil }
    return Array(values[positions.clamped(to: values.indices)])
  }

  /// The value of a key, of an observer of a map inside a value. O(1).
  package func value(of token: TokenID, forKey key: String) -> Value? {
    guard case .map(let entries)? = insideValue(of: token) else { return nil }
    return entries[key]
  }

  private func insideValue(of token: TokenID) -> Value? {
    guard case .collection(let collection)? = observers[token]?.subject,
      case .inside(let view)? = collection.live?.view
    else { return nil }
    return view.value
  }
}

extension ResultsView {
  fileprivate func objects(at positions: Range<Int>) -> [ObjectID] {
    positions.clamped(to: 0..<count).map { position in
      let row = rows.rows.number(at: position)
      return ObjectID(query.classID, collection?.object(of: row) ?? row)
    }
  }
}

extension CollectionSubject.Live {
  fileprivate func objects(
    at positions: Range<Int>, _ reader: any ObjectReader
  ) -> [ObjectID]? {
    switch view {
    case .list(let list):
      guard case .objects(let classID) = place.element else { return nil }
      if case .objects(let sequence) = list.rows {
        return sequence.objects(of: classID, at: positions)
      }
      let count = reader.listCount(place.property, of: place.owner)
      return positions.clamped(to: 0..<count).map { position in
        let element = reader.listElement(place.property, of: place.owner, at: position)
        return ObjectID(classID, list.number(element))
      }
    case .backlinks(let backlinks):
      guard let origin = backlinks.place.origin else { return [] }
      return backlinks.rows.objects(of: origin.classID, at: positions)
    case .set, .map, .inside: return nil
    }
  }
}

extension OrderedSequence {
  fileprivate func objects(of classID: ClassID, at positions: Range<Int>) -> [ObjectID] {
    positions.clamped(to: 0..<count).map { ObjectID(classID, number(at: $0)) }
  }
}
