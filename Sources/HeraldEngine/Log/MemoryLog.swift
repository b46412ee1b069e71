import HeraldModel
import HeraldObservation

/// The log of a store in memory: the newest commits, as values.
struct MemoryLog {
  private struct Entry {
    let commit: LoggedCommit
    let memory: Int
  }

  var retention = LogRetention.standard
  /// From `start` on; those before it are removed in batches.
  private var entries: [Entry?] = []
  private var start = 0
  private var memory = 0

  /// The oldest version; nil without any.
  var oldest: Int? { start < entries.count ? entries[start]?.commit.record.lastVersion : nil }

  /// Returns the commit of a version; nil if the log does not have it.
  func commit(_ version: Int) -> LoggedCommit? {
    guard let oldest, version >= oldest else { return nil }
    let index = start + version - oldest
    guard index < entries.count, let commit = entries[index]?.commit,
      commit.record.lastVersion == version
    else { return nil }
    guard commit.record.single != nil else { return commit }
    var record = commit.record
    record.expand()
    return LoggedCommit(info: commit.info, record: record)
  }

  /// The memory that a commit takes, an estimate in bytes; 0 if the log does not have it.
  func size(of version: Int) -> Int {
    guard commit(version) != nil, let oldest else { return 0 }
    return entries[start + version - oldest]?.memory ?? 0
  }

  mutating func append(_ commit: LoggedCommit) {
    if let oldest, commit.record.lastVersion != oldest + entries.count - start { removeAll() }
    let size = commit.memory
    entries.append(Entry(commit: commit, memory: size))
    memory += size
    trim(at: commit.info.time)
  }

  /// Removes the last commit, which failed.
  mutating func removeLast(version: Int) {
    guard start < entries.count, let last = entries[entries.count - 1],
      last.commit.record.firstVersion == version
    else { return }
    memory -= last.memory
    entries.removeLast()
  }

  private mutating func removeAll() {
    entries = []
    (start, memory) = (0, 0)
  }

  /// Removes the oldest commits beyond the limit; the newest commit stays.
  mutating func trim(at now: Timestamp) {
    while start < entries.count - 1, let first = entries[start], isOver(first, now) {
      memory -= first.memory
      entries[start] = nil
      start += 1
    }
    guard start > 256, start > entries.count / 2 else { return }
    entries.removeFirst(start)
    start = 0
  }

  private func isOver(_ first: Entry, _ now: Timestamp) -> Bool {
    switch retention {
    case .all: false
    case .commits(let count): entries.count - start > count
    case .bytes(let limit): memory > limit
    case .seconds(let seconds): first.commit.info.time.seconds < now.seconds - seconds
    }
  }
}

extension LoggedCommit {
  /// An estimate of its memory, in bytes. O(changes).
  fileprivate var memory: Int {
    if let single = record.single { return 512 + (info.message?.utf8.count ?? 0) + single.memory }
    return record.classes.values.reduce(256 + (info.message?.utf8.count ?? 0)) { $0 + $1.memory }
  }
}

extension SingleChange {
  fileprivate var memory: Int {
    switch kind {
    case .value(_, _, let old): 128 + old.memoryOfRecord
    case .created: 16
    }
  }
}

extension ClassChange {
  fileprivate var memory: Int {
    var size = 256 + created.ranges.count * 16
    for object in deleted.values { size += DeletedObject.memory + object.memory }
    for delta in properties.values {
      size += 128
      switch delta {
      case .values(let values): for old in values.values { size += old.memoryOfRecord }
      case .lists(let lists):
        for list in lists.values {
          size += 256 + list.pieces.count * 32
          for old in list.replaced.values { size += old.memoryOfRecord }
          for old in list.taken { size += old.value.memoryOfRecord }
        }
      case .sets(let sets):
        for set in sets.values {
          size += 128
          for old in set.removed { size += old.memoryOfRecord }
          size += set.inserted.count * 64
        }
      case .maps(let maps):
        for map in maps.values {
          size += 256 + map.inserted.count * 48
          map.forEachPreviousValue { size += 48 + $1.memoryOfRecord }
        }
      }
    }
    return size
  }
}
