import HeraldModel
import HeraldQuery

extension SetView {
  /// The invariants of the view that do not hold in `reader`'s version. O(n).
  func violations(_ location: CollectionLocation, _ reader: any ObjectReader) -> [String] {
    let fresh = SetView(location, watchesObjects: leadsToObjects, reader)
    return (count == fresh.count ? [] : ["\(count) rows of a set of \(fresh.count)"])
      + (holders == fresh.holders ? [] : ["the index from links to values differs from the set"])
  }
}
