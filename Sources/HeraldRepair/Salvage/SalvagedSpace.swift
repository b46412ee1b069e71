import HeraldModel
import HeraldStorage

/// The salvaged part of one database of a version: records in the order of their keys, and the gaps
/// in which others may be missing.
struct SalvagedSpace {
  /// A gap between two keys, exclusive, in which records may be missing. Given by the offsets of
  /// their records; nil for the start and the end.
  struct Gap {
    let after: Int?
    let before: Int?
  }

  let space: RecordSpace
  private let file: SalvageFile
  private let newest: Int?
  /// The offsets of records that belong to the version, by key.
  private(set) var current: [Int] = []
  /// The offsets of substitutes for missing records, by key: the newest of each that is left.
  private(set) var old: [Int] = []
  private(set) var gaps: [Gap] = []
  /// Whether every record of the version is present, and no other.
  private(set) var isExact = false
  /// The contents of the records that commits in the journal alone have changed; nil for those that they have deleted.
  private var journaled: [[UInt8]: [UInt8]?] = [:]
  /// The leaves on which records were found.
  private(set) var leaves: [UInt64] = []

  /// Reads the records that a tree leads to. `root`: nil if no page records the tree's root;
  /// `newest`: the version, nil if unknown.
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
        guard let node = page.node(index), isIntact(file.offset(of: node)) else {
          isGap = true
          continue
        }
        isOurs = true
        let offset = file.offset(of: node)
        if let last = current.last, node.key.order(to: file.key(at: last)) <= 0 {
          isInOrder = false
        }
        if isGap { gaps.append(Gap(after: current.last, before: offset)) }
        isGap = !isWhole
        current.append(offset)
      }
      if isOurs { leaves.append(number) }
    }
    if isGap { gaps.append(Gap(after: current.last, before: nil)) }
    if !isInOrder {
      gaps = [Gap(after: nil, before: nil)]
      current = unique(current, rank: { _ in 0 })
    }
  }

  private func isIntact(_ offset: Int) -> Bool {
    if space == .meta, StoreFormat.isKey(file.key(at: offset)) { return true }
    return file.version(of: offset, space, upTo: newest) != nil
  }

  // MARK: Completion

  /// Adds records that no page leads to any more: from pages that belong to the version, and from
  /// pages that may have been freed before it. `digest`: that of the version's records, nil if unknown.
  mutating func complete(live: [Int], stale: [Int], digest: UInt64?) {
    if settle(digest) { return }
    let live = unique(live.filter { self.find($0) == nil }, rank: version)
    current = unique(current + live, rank: version)
    if settle(digest) { return }
    // The digest shows that records are missing that the walk did not notice: they may be anywhere.
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

  /// If a single record is missing, it is the one that completes the digest.
  private mutating func takeLast(of spare: [Int], _ digest: UInt64?) {
    guard let digest else { return }
    let rest = digest &- sum(current)
    guard let found = spare.first(where: { share($0) == rest }) else { return }
    current = unique(current + [found], rank: version)
    old = []
    _ = settle(digest)
  }

  /// Marks the records as exact if, with some others, they are those of the version.
  private mutating func settle(_ digest: UInt64?, with others: [Int] = []) -> Bool {
    guard sum(current) &+ sum(others) == digest else { return false }
    gaps = []
    isExact = true
    return true
  }

  private func sum(_ offsets: [Int]) -> UInt64 { offsets.reduce(0) { $0 &+ share($1) } }

  private func share(_ offset: Int) -> UInt64 {
    let key = file.key(at: offset)
    if space == .meta, StoreFormat.isKey(key) || key.elementsEqual(StoreState.key.utf8) { return 0 }
    guard let record = file.record(at: offset), record.count >= RecordTrailer.size else { return 0 }
    return RecordTrailer(endOf: record).digest
  }

  private func version(_ offset: Int) -> Int {
    guard let record = file.record(at: offset), record.count >= RecordTrailer.size else { return 0 }
    let version = RecordTrailer(endOf: record).version
    // Records keep the low bits of their version: it is the latest match up to the newest.
    guard let newest else { return Int(version) }
    return newest - Int(UInt32(truncatingIfNeeded: newest) &- version)
  }

  /// Returns the offsets in the order of their keys, for each key the one of the highest rank.
  private func unique(_ offsets: [Int], rank: (Int) -> Int) -> [Int] {
    let sorted = offsets.sorted { one, other in
      let order = file.key(at: one).order(to: file.key(at: other))
      return order != 0 ? order < 0 : rank(one) > rank(other)
    }
    var kept: [Int] = []
    kept.reserveCapacity(sorted.count)
    for offset in sorted {
      if let last = kept.last, file.key(at: last).order(to: file.key(at: offset)) == 0 { continue }
      kept.append(offset)
    }
    return kept
  }

  // MARK: Reading

  private func find(_ offset: Int) -> Int? { find(file.key(at: offset), in: current) }

  private func find(_ key: UnsafeRawBufferPointer, in offsets: [Int]) -> Int? {
    let found = lowerBound(key, in: offsets)
    guard found < offsets.count, file.key(at: offsets[found]).order(to: key) == 0 else {
      return nil
    }
    return offsets[found]
  }

  /// Returns the first index whose key is not below `key`.
  private func lowerBound(_ key: UnsafeRawBufferPointer, in offsets: [Int]) -> Int {
    offsets.partitionPoint { file.key(at: $0).order(to: key) < 0 }
  }

  /// Returns whether a record may be missing under a key that was not found.
  private func isInGap(_ key: UnsafeRawBufferPointer) -> Bool {
    // The gaps are in the order of their keys: finds the last one that begins below the key.
    let next = gaps.partitionPoint { gap in
      gap.after.map { file.key(at: $0).order(to: key) < 0 } ?? true
    }
    guard next > 0 else { return false }
    return gaps[next - 1].before.map { file.key(at: $0).order(to: key) > 0 } ?? true
  }

  /// Returns the salvaged record of a key.
  func record(_ key: UnsafeRawBufferPointer) -> SalvagedRecord {
    if !journaled.isEmpty, let changed = journaled[[UInt8](key)] {
      return changed.map { .found($0, version: nil) } ?? .absent
    }
    if let offset = find(key, in: current) {
      // The content was intact before, and has changed since.
      guard let content = file.content(at: offset, space) else { return .lost }
      return .found(content, version: nil)
    }
    if let offset = find(key, in: old), let content = file.content(at: offset, space) {
      return .found(content, version: version(offset))
    }
    return isInGap(key) ? .lost : .absent
  }

  /// Makes a change of the journal's, if it follows from what is left.
  mutating func apply(_ change: ContentChange, _ key: [UInt8]) {
    if case .deleted = change {
      journaled[key] = .some(nil)
      return
    }
    var old: [UInt8]?
    switch key.withUnsafeBytes({ record($0) }) {
    case .found(let content, version: nil): old = content
    case .absent: break
    case .found, .lost:
      guard case .whole = change else { return }
    }
    if let content = old.withBytes({ change.content(from: $0) }) {
      journaled[key] = content
    }
  }

  /// Calls `body` with every key that has a prefix, those of current records first.
  func forEachKey(from prefix: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    for (key, content) in journaled where content != nil && key.starts(with: prefix) {
      key.withUnsafeBytes { if find($0, in: current) == nil { body($0) } }
    }
    prefix.withUnsafeBytes { prefix in
      for offsets in [current, old] {
        for offset in offsets[lowerBound(prefix, in: offsets)...] {
          let key = file.key(at: offset)
          guard key.starts(with: prefix) else { break }
          body(key)
        }
      }
    }
  }
}

extension SalvagedSpace {
  /// For the columns: returns whether the owner of a list, by the list's key, certainly exists.
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

extension [UInt8]? {
  fileprivate func withBytes<R>(_ body: (UnsafeRawBufferPointer?) -> R) -> R {
    map { $0.withUnsafeBytes { body($0) } } ?? body(nil)
  }
}

/// The salvaged content of a record.
enum SalvagedRecord {
  /// `version`: nil if it belongs to the store's newest version; otherwise that of the commit that
  /// wrote it, after which it may have been changed or removed.
  case found([UInt8], version: Int?)
  /// There was no record.
  case absent
  /// There may have been a record.
  case lost
}
