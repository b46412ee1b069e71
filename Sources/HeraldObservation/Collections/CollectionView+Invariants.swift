import HeraldModel
import HeraldQuery

extension CollectionView {
  /// What is wrong with the view in `reader`'s version; empty where nothing is. O(n).
  func violations(_ place: CollectionPlace, _ reader: any ObjectReader) -> [String] {
    switch self {
    case .list(let view): return view.violations(reader)
    case .set(let view): return view.violations(place, reader)
    case .map(let view):
      let fresh = MapView(place, holdsLinks: view.holders != nil, reader)
      return (view.keys == fresh.keys ? [] : ["keys are \(view.keys), not \(fresh.keys)"])
        + (view.holders == fresh.holders ? [] : ["keys of links are not those of the map"])
    case .backlinks(let view):
      var rows: [ObjectNumber] = []
      view.rows.forEachNumber { rows.append($0) }
      let expected = place.originRows(reader)
      return view.rows.violations
        + (rows == expected ? [] : ["rows are \(rows), the origins \(expected)"])
    case .inside(let view): return view.violations(place, reader)
    }
  }
}
