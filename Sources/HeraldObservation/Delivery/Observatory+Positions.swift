package import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Returns the objects at some positions of observed results, a list of links or backlinks, as of the
  /// last or the current report. Positions beyond the rows are left out. Nil before the first report, and
  /// where rows are not objects or have no positions of their own (sets). `reader` is at the version of
  /// the report, since a list whose objects are not watched is read there. O(positions · log rows).
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
  /// Returns the values at some positions of an observed nested list. O(positions).
  package func values(of token: TokenID, at positions: Range<Int>) -> [Value]? {
    guard case .list(let values)? = nestedValue(of: token) else { return nil }
    return Array(values[positions.clamped(to: values.indices)])
  }

  /// Returns the value of a key of an observed nested map. O(1).
  package func value(of token: TokenID, forKey key: String) -> Value? {
    guard case .map(let entries)? = nestedValue(of: token) else { return nil }
    return entries[key]
  }

  private func nestedValue(of token: TokenID) -> Value? {
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
      guard case .objects(let classID) = location.element else { return nil }
      if case .objects(let sequence) = list.rows {
        return sequence.objects(of: classID, at: positions)
      }
      let count = reader.listCount(location.property, of: location.owner)
      return positions.clamped(to: 0..<count).map { position in
        let element = reader.listElement(location.property, of: location.owner, at: position)
        return ObjectID(classID, list.number(element))
      }
    case .backlinks(let backlinks):
      guard let origin = backlinks.location.origin else { return [] }
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
