import HeraldModel

/// One list while a transaction changes it: runs in order, decoded when first needed.
///
/// Used by the thread of its transaction only.
final class PendingList {
  struct Run {
    /// The id of the run's record, nil while it has none.
    var id: UInt32?
    var count: Int
    /// Nil until the run is decoded.
    var elements: [StoredValue]?
    /// The bytes of all elements together, if they are bytes; known once decoded.
    var size = 0
    var isChanged = false
  }

  /// The kind of the elements; nil until the list has had any.
  private(set) var kind: ColumnKind?
  private(set) var runs: [Run] = []
  private(set) var count = 0
  private(set) var isChanged = false
  /// The next unused run id.
  private var nextRun: UInt32 = 1
  /// The records of deleted runs.
  private var freedRuns: [UInt32] = []
  /// The run of the last position used; changes of a list tend to be close to each other.
  private var hint = (run: 0, start: 0)
  /// Fetches the elements of a run that is not decoded.
  private let load: (UInt32) throws(StorageError) -> [StoredValue]

  static let longestRun = ListRoot.longestRun
  /// A run of bytes is split above this size too, unless it is a single element.
  static let largestRun = 1 << 16
  private static let shortestRun = longestRun / 4

  init(_ root: ListRoot?, load: @escaping (UInt32) throws(StorageError) -> [StoredValue]) {
    self.load = load
    guard let root else { return }
    count = root.count
    kind = root.kind
    if root.isInline {
      append(run: root.inlineBlock.elements)
    } else {
      nextRun = root.nextRun
      runs = (0..<root.runCount).map { Run(id: root.runID($0), count: root.runLength($0)) }
    }
  }

  /// Sets the kind of the elements, which cannot change while there are any.
  func take(_ kind: ColumnKind) {
    precondition(count == 0 || self.kind == kind, "a list written as the wrong kind")
    self.kind = kind
  }

  func element(at position: Int) throws(StorageError) -> StoredValue {
    let (run, offset) = locate(position)
    return try elements(of: run)[offset]
  }

  /// Returns the first position whose element does not satisfy `isBefore`, in a list that it
  /// partitions; the last element that it rejected is the one there.
  func partition(_ isBefore: (StoredValue) -> Bool) throws(StorageError) -> Int {
    let found = try runs.indices.partitionPoint { index throws(StorageError) in
      try elements(of: index).last.map(isBefore) ?? true
    }
    let start = runs[..<found].reduce(0) { $0 + $1.count }
    guard found < runs.count else { return start }
    let last = try elements(of: found)
    return start + (0..<last.count - 1).partitionPoint { isBefore(last[$0]) }
  }

  /// Calls `body` with every element in order until it returns false.
  func forEach<Failure: Error>(
    _ body: (StoredValue) throws(Failure) -> Bool, failed: (StorageError) -> Void
  ) throws(Failure) {
    for index in runs.indices {
      let elements: [StoredValue]
      do throws(StorageError) {
        elements = try self.elements(of: index)
      } catch {
        return failed(error)
      }
      for element in elements {
        guard try body(element) else { return }
      }
    }
  }

  func insert(_ value: StoredValue, at position: Int) throws(StorageError) {
    precondition(position >= 0 && position <= count, "a position outside the list")
    isChanged = true
    guard position < count else { return append(value, try lastRunWithRoom(for: value)) }
    let (run, offset) = locate(position)
    try decode(run)
    runs[run].elements?.insert(value, at: offset)
    grow(run, by: 1, Self.size(value))
    splitIfLong(run)
  }

  func remove(at position: Int) throws(StorageError) -> StoredValue {
    let (run, offset) = locate(position)
    let value = try elements(of: run)[offset]
    isChanged = true
    runs[run].elements?.remove(at: offset)
    grow(run, by: -1, -Self.size(value))
    try joinIfShort(run)
    return value
  }

  func replace(at position: Int, with value: StoredValue) throws(StorageError) {
    let (run, offset) = locate(position)
    let old = try elements(of: run)[offset]
    isChanged = true
    runs[run].elements?[offset] = value
    grow(run, by: 0, Self.size(value) - Self.size(old))
    splitIfLong(run)
  }

  func removeAll() {
    freedRuns += runs.compactMap(\.id)
    runs = []
    count = 0
    hint = (0, 0)
    isChanged = true
  }

  /// The records to write: returned once, after which the list counts as written.
  struct Record {
    enum Root {
      case none
      case inline([StoredValue])
      case directory([UInt8])
    }
    var root: Root
    var changed: [(id: UInt32, elements: [StoredValue])] = []
    var freed: [UInt32]
  }

  /// Lists of one run, of at most `inlineCount` elements and `inlineSize` bytes, are stored inline.
  static let inlineCount = 128
  static let inlineSize = 1024

  func record() throws(StorageError) -> Record {
    if let run = runs.first, runs.count == 1, run.count <= Self.inlineCount {
      let elements = try elements(of: 0)
      if runs[0].size <= Self.inlineSize {
        if let id = runs[0].id { freedRuns.append(id) }
        return Record(root: .inline(elements), freed: freedRuns)
      }
    }
    guard !runs.isEmpty else { return Record(root: .none, freed: freedRuns) }
    var record = Record(root: .none, freed: freedRuns)
    for index in runs.indices where runs[index].isChanged || runs[index].id == nil {
      let id = runs[index].id ?? nextRun
      if runs[index].id == nil { nextRun += 1 }
      runs[index].id = id
      record.changed.append((id, try elements(of: index)))
    }
    let ids = runs.map { (id: $0.id ?? 0, count: $0.count) }
    record.root = .directory(ListRoot.directory(kind ?? .integers, ids, next: nextRun))
    return record
  }
}

extension PendingList {
  /// Returns the run and the offset of a position, searched from the last position used.
  private func locate(_ position: Int) -> (run: Int, offset: Int) {
    precondition(position >= 0 && position < count, "a position outside the list")
    var (run, start) = hint.run < runs.count ? hint : (0, 0)
    while position < start {
      run -= 1
      start -= runs[run].count
    }
    while position >= start + runs[run].count {
      start += runs[run].count
      run += 1
    }
    hint = (run, start)
    return (run, position - start)
  }

  private func elements(of run: Int) throws(StorageError) -> [StoredValue] {
    try decode(run)
    return runs[run].elements ?? []
  }

  private func decode(_ run: Int) throws(StorageError) {
    guard runs[run].elements == nil, let id = runs[run].id else { return }
    let elements = try load(id)
    runs[run].size = elements.reduce(0) { $0 + Self.size($1) }
    runs[run].elements = elements
  }

  private static func size(_ value: StoredValue) -> Int {
    if case .bytes(let bytes) = value { bytes.count } else { 0 }
  }

  private func grow(_ run: Int, by number: Int, _ size: Int) {
    runs[run].count += number
    runs[run].size += size
    runs[run].isChanged = true
    count += number
    if hint.run > run { hint = (0, 0) }
  }

  private func append(run elements: [StoredValue]) {
    let size = elements.reduce(0) { $0 + Self.size($1) }
    runs.append(Run(count: elements.count, elements: elements, size: size, isChanged: true))
  }

  /// Returns the last run, or a new one after it, so that lists filled by appending have full runs.
  private func lastRunWithRoom(for value: StoredValue) throws(StorageError) -> Int {
    if let last = runs.indices.last {
      try decode(last)
      let hasSpace =
        runs[last].count < Self.longestRun
        && runs[last].size + Self.size(value) <= Self.largestRun
      if hasSpace { return last }
    }
    append(run: [])
    return runs.count - 1
  }

  private func append(_ value: StoredValue, _ run: Int) {
    runs[run].elements?.append(value)
    grow(run, by: 1, Self.size(value))
  }

  private func splitIfLong(_ run: Int) {
    let count = runs[run].count
    let isLong = count > Self.longestRun || runs[run].size > Self.largestRun && count > 1
    guard isLong, let elements = runs[run].elements else { return }
    let tail = Array(elements[(count / 2)...])
    let tailSize = tail.reduce(0) { $0 + Self.size($1) }
    runs[run].elements?.removeLast(tail.count)
    runs[run].count -= tail.count
    runs[run].size -= tailSize
    runs.insert(
      Run(count: tail.count, elements: tail, size: tailSize, isChanged: true), at: run + 1)
    hint = (0, 0)
  }

  /// Deletes an empty run, and joins a short one with its neighbour if the result is not too long.
  private func joinIfShort(_ run: Int) throws(StorageError) {
    if runs[run].count == 0 { return drop(run) }
    guard runs[run].count < Self.shortestRun, runs.count > 1 else { return }
    let left = run > 0 ? run - 1 : run
    guard runs[left].count + runs[left + 1].count <= Self.longestRun * 3 / 4 else { return }
    try decode(left)
    try decode(left + 1)
    guard runs[left].size + runs[left + 1].size <= Self.largestRun * 3 / 4 else { return }
    let tail = runs[left + 1]
    runs[left].elements?.append(contentsOf: tail.elements ?? [])
    runs[left].count += tail.count
    runs[left].size += tail.size
    runs[left].isChanged = true
    drop(left + 1)
  }

  private func drop(_ run: Int) {
    if let id = runs[run].id { freedRuns.append(id) }
    runs.remove(at: run)
    hint = (0, 0)
  }
}
