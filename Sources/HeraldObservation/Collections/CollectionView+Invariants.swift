import HeraldModel
import HeraldQuery

extension CollectionView {
  /// The invariants of the view that do not hold in `reader`'s version. O(n).
  func violations(_ location: CollectionLocation, _ reader: any ObjectReader) -> [String] {
    switch self {
    case .list(let view): return view.violations(reader)
    case .set(let view): return view.violations(location, reader)
    case .map(let view):
      let fresh = MapView(location, holdsLinks: view.holders != nil, reader)
      return (view.keys == fresh.keys ? [] : ["keys are \(view.keys), not \(fresh.keys)"])
        + (view.holders == fresh.holders ? [] : ["the index of links differs from the map"])
    case .backlinks(let view):
      var rows: [ObjectNumber] = []
      view.rows.forEachNumber { rows.append($0) }
      let expected = location.originRows(reader)
      return view.rows.violations
        + (rows == expected ? [] : ["rows are \(rows), the origins are \(expected)"])
    }
  }
}
