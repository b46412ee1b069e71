/// What is left of one database of a version: records in the order of their keys, and where others may
/// be missing.
struct SalvagedSpace {
  /// Between two keys, neither of them, something may be missing. By the places of their records; nil for
  /// the beginning and the end.
  struct Gap {
    let after: Int?
    let before: Int?
  }

  let space: RecordSpace
  private let file: SalvageFile
  private let newest: Int?
  /// Places of records that belong to the version, by key.
  private(set) var current: [Int] = []
  /// Places of records that stand in for ones that are missing, by key: of these the newest that is left.
  private(set) var old: [Int] = []
  private(set) var gaps: [Gap] = []
  /// Whether every record of the version is there, and no other.
  private(set) var isExact = false
  /// The leaves on which records were found.
  private(set) var leaves: [UInt64] = []

  /// What a tree leads to. `root`: nil where no page tells where the tree begins; `newest`: the version,
  /// nil where none is known.
  init(
    _ file: SalvageFile, _ space: RecordSpace, root: UInt64?, free: PageSet?, newest: Int?
  ) {
    self.file = file
    self.space = space
    self.newest = newest
    guard let root else {
      gaps = [Gap(after: nil, before: nil)]
      return
    }
    var walk = SalvageWalk(file, free: free)
    var isGap = false
    var isInOrder = true
    walk.walk(root) { step in
      guard case .leaf(let page, let number) = step else {
        isGap = true
        return
      }
      let isWhole = page.isWhole
      var isOurs = false
      if !isWhole { isGap = true }
      for index in 0..<page.count {
        guard let node = page.node(index), isIntact(file.place(of: node)) else {
          isGap = true
          continue
        }
        isOurs = true
        let place = file.place(of: node)
        if let last = current.last, node.key.order(to: file.key(at: last)) <= 0 {
          isInOrder = false
        }
        if isGap { gaps.append(Gap(after: current.last, before: place)) }
        isGap = !isWhole
        current.append(place)
      }
      if isOurs { leaves.append(number) }
    }
    if isGap { gaps.append(Gap(after: current.last, before: nil)) }
    if !isInOrder {
      gaps = [Gap(after: nil, before: nil)]
      current = unique(current, rank: { _ in 0 })
    }
  }

  private func isIntact(_ place: Int) -> Bool {
    if space == .meta, StoreFormat.isKey(file.key(at: place)) { return true }
    return file.version(of: place, space, upTo: newest) != nil
  }

  // MARK: Completion

  /// Takes in what no page leads to any more: records of pages that belong to the version, and of pages
  /// that may have been freed before it. `digest`: what the version's records sum up
  /// to, nil where that is not known.
  mutating func complete(live: [Int], stale: [Int], digest: UInt64?) {
    if settle(digest) { return }
    let live = unique(live.filter { self.find($0) == nil }, rank: version)
    current = unique(current + live, rank: version)
    if settle(digest) { return }
    // What the walk did not notice is missing all the same, and may be anywhere.
    if gaps.isEmpty, digest != nil { gaps = [Gap(after: nil, before: nil)] }
    let spare = stale.filter { self.find($0) == nil && self.isInGap(file.key(at: $0)) }
    old = unique(spare, rank: version)
    if settle(digest, with: old) {
      current = unique(current + old, rank: version)
      old = []
      return
    }
    takeLast(of: spare, digest)
  }

  /// Where one record alone is missing, the one that makes up the sum is it.
  private mutating func takeLast(of spare: [Int], _ digest: UInt64?) {
    guard let digest else { return }
    let rest = digest &- sum(current)
    guard let found = spare.first(where: { share($0) == rest }) else { return }
    current = unique(current + [found], rank: version)
    old = []
    _ = settle(digest)
  }

  /// Whether the records, with some others, are those of the version.
  private mutating func settle(_ digest: UInt64?, with others: [Int] = []) -> Bool {
    guard sum(current) &+ sum(others) == digest else { return false }
    gaps = []
    isExact = true
    return true
  }

  private func sum(_ places: [Int]) -> UInt64 { places.reduce(0) { $0 &+ share($1) } }

  private func share(_ place: Int) -> UInt64 {
    let key = file.key(at: place)
    if space == .meta, StoreFormat.isKey(key) || key.elementsEqual(StoreState.key.utf8) { return 0 }
    guard let record = file.record(at: place), record.count >= RecordTrailer.size else { return 0 }
    return RecordTrailer(endOf: record).digest
  }

  private func version(_ place: Int) -> Int {
    guard let record = file.record(at: place), record.count >= RecordTrailer.size else { return 0 }
    let version = RecordTrailer(endOf: record).version
    // Of the versions, of which records keep the low bits, the one next before the newest.
    guard let newest else { return Int(version) }
    return newest - Int(UInt32(truncatingIfNeeded: newest) &- version)
  }

  /// The places in the order of their keys, of each key the one of the highest rank.
  private func unique(_ places: [Int], rank: (Int) -> Int) -> [Int] {
    let sorted = places.sorted { one, other in
      let order = file.key(at: one).order(to: file.key(at: other))
      return order != 0 ? order < 0 : rank(one) > rank(other)
    }
    var kept: [Int] = []
    kept.reserveCapacity(sorted.count)
    for place in sorted {
      if let last = kept.last, file.key(at: last).order(to: file.key(at: place)) == 0 { continue }
      kept.append(place)
    }
    return kept
  }

  // MARK: Reading

  private func find(_ place: Int) -> Int? { find(file.key(at: place), in: current) }

  private func find(_ key: UnsafeRawBufferPointer, in places: [Int]) -> Int? {
    let found = lowerBound(key, in: places)
    guard found < places.count, file.key(at: places[found]).order(to: key) == 0 else { return nil }
    return places[found]
  }

  /// The first place of a key that is not below `key`.
  private func lowerBound(_ key: UnsafeRawBufferPointer, in places: [Int]) -> Int {
    (0..<places.count).partition { file.key(at: places[$0]).order(to: key) < 0 }
  }

  /// Whether a record of a key that is not there may have been.
  private func isInGap(_ key: UnsafeRawBufferPointer) -> Bool {
    // The gaps are in the order of their keys: the last one that begins below the key.
    let next = (0..<gaps.count).partition { index in
      gaps[index].after.map { file.key(at: $0).order(to: key) < 0 } ?? true
    }
    guard next > 0 else { return false }
    return gaps[next - 1].before.map { file.key(at: $0).order(to: key) > 0 } ?? true
  }

  /// What is left of the record of a key.
  func record(_ key: UnsafeRawBufferPointer) -> SalvagedRecord {
    if let place = find(key, in: current) {
      // It was there a moment ago.
      guard let content = file.content(at: place, space) else { return .lost }
      return .found(content, version: nil)
    }
    if let place = find(key, in: old), let content = file.content(at: place, space) {
      return .found(content, version: version(place))
    }
    return isInGap(key) ? .lost : .absent
  }

  /// Every key that begins with some bytes, the current ones first.
  func forEachKey(from prefix: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    prefix.withUnsafeBytes { prefix in
      for places in [current, old] {
        for place in places[lowerBound(prefix, in: places)...] {
          let key = file.key(at: place)
          guard key.starts(with: prefix) else { break }
          body(key)
        }
      }
    }
  }
}

extension SalvagedSpace {
  /// Of columns: whether the owner of a list, by the list's key, is there for certain.
  func hasObject(of key: UnsafeRawBufferPointer) -> Bool {
    guard key.count >= 16 else { return false }
    let owner = key.bigEndian(at: 8, as: UInt64.self)
    guard owner >> 8 < UInt64(UInt32.max) else { return false }
    let column = ColumnID(classID: key.bigEndian(at: 0, as: UInt32.self), propertyID: 0)
    let presence = FixedKey.block(column, Int(owner >> 8)).withBytes { record($0) }
    guard case .found(let bits, nil) = presence, bits.count == ClassRecord.presenceSize else {
      return false
    }
    return bits[Int(owner & 255) >> 3] >> UInt8(owner & 7) & 1 != 0
  }
}

/// What is left of a record.
enum SalvagedRecord {
  /// `version`: nil where it belongs to the store's newest state; else the one that wrote it, after which
  /// it may have been changed or removed.
  case found([UInt8], version: Int?)
  /// There was none.
  case absent
  /// Whether there was one cannot be told.
  case lost
}
