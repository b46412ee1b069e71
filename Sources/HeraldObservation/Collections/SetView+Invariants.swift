import HeraldModel
import HeraldQuery

extension SetView {
  /// What is wrong with the view in `reader`'s version; empty where nothing is. O(n).
  func violations(_ place: CollectionPlace, _ reader: any ObjectReader) -> [String] {
    let fresh = SetView(place, watchesObjects: leadsToObjects, reader)
    return (count == fresh.count ? [] : ["\(count) rows of a set of \(fresh.count)"])
      + (holders == fresh.holders ? [] : ["values that lead to objects are not those of the set"])
  }
}
