import Glibc
import HeraldModel
import HeraldObservation

/// The number of this process.
let processNumber = Int(getpid())

/// Who commits: the same object for all commits of a session under one name.
final class CommitWriter: Sendable {
  let session: String
  let process: Int

  init(session: String, process: Int) {
    self.session = session
    self.process = process
  }
}

extension CommitInfo {
  init(
    _ time: Timestamp, by writer: CommitWriter, message: String? = nil, reversal: Reversal? = nil
  ) {
    self.init(
      time: time, message: message, session: writer.session, process: writer.process,
      reversal: reversal)
  }
}

/// The log of a store in memory: the newest commits, as values.
struct MemoryLog {
  /// As small as possible, since every commit pays for it.
  private enum Entry {
    /// One change, without a message, by the writer of that version.
    case single(SingleChange, Timestamp)
    case whole(WholeEntry)
    case removed

    var time: Timestamp? {
      switch self {
      case .single(_, let time): time
      case .whole(let entry): entry.commit.info.time
      case .removed: nil
      }
    }

    /// An estimate, in bytes.
    var memory: Int {
      switch self {
      case .single(let change, _): MemoryLog.memoryOfSingle + change.memory
      case .whole(let entry): entry.memory
      case .removed: 0
      }
    }
  }

  /// The memory of a single change without its old value, in bytes.
  private static let memoryOfSingle = 128

  var retention = LogRetention.standard
  /// From `start` on; those before it are removed in batches.
  private var entries: [Entry] = []
  private var start = 0
  /// The version of the commit at `start`.
  private var first = 0
  private var memory = 0
  /// The writers of single changes, each with the first version from which on it is the writer.
  private var writers: [(first: Int, writer: CommitWriter)] = []

  /// The oldest version; nil without any.
  var oldest: Int? { start < entries.count ? first : nil }

  private func entry(_ version: Int) -> Entry {
    guard version >= first, version - first < entries.count - start else { return .removed }
    return entries[start + version - first]
  }

  /// Returns the commit of a version; nil if the log does not have it.
  func commit(_ version: Int) -> LoggedCommit? {
    switch entry(version) {
    case .removed: return nil
    case .whole(let entry):
      var record = entry.commit.record
      record.expand()
      return LoggedCommit(info: entry.commit.info, record: record)
    case .single(let change, let time):
      var record = CommitRecord(version: version, single: change)
      record.expand()
      let index = writers.partitionPoint { $0.first <= version } - 1
      return LoggedCommit(info: CommitInfo(time, by: writers[index].writer), record: record)
    }
  }

  /// The memory that a commit takes, an estimate in bytes; 0 if the log does not have it.
  func size(of version: Int) -> Int { entry(version).memory }

  /// Appends a commit without a message that reverts none.
  mutating func append(
    _ change: SingleChange, version: Int, at time: Timestamp, by writer: CommitWriter
  ) {
    append(.single(change, time), version)
    if writers.last?.writer !== writer { writers.append((version, writer)) }
  }

  mutating func append(_ commit: LoggedCommit) {
    append(.whole(WholeEntry(commit)), commit.record.lastVersion)
  }

  private mutating func append(_ entry: Entry, _ version: Int) {
    if version != first + entries.count - start { removeAll(before: version) }
    entries.append(entry)
    memory += entry.memory
    if let time = entry.time, isOver(time) { trim(at: time) }
  }

  private mutating func removeAll(before version: Int) {
    (entries, writers) = ([], [])
    (start, memory, first) = (0, 0, version)
  }

  /// Removes the last commit, which failed.
  mutating func removeLast(version: Int) {
    guard start < entries.count, version - first == entries.count - start - 1 else { return }
    memory -= entries.removeLast().memory
    if writers.last?.first == version { writers.removeLast() }
  }

  /// Removes the oldest commits beyond the limit; the newest commit stays.
  mutating func trim(at now: Timestamp) {
    while isOver(now) {
      memory -= entries[start].memory
      entries[start] = .removed
      start += 1
      first += 1
    }
    guard start > 256, start > entries.count / 2 else { return }
    entries.removeFirst(start)
    start = 0
    let unused = writers.partitionPoint { $0.first <= first } - 1
    if unused > 0 { writers.removeFirst(unused) }
  }

  private func isOver(_ now: Timestamp) -> Bool {
    let count = entries.count - start
    return switch retention {
    case .all: false
    case .bytes(let limit): memory > limit && count > 1
    case .commits(let limit): count > max(limit, 1)
    case .seconds(let seconds):
      count > 1 && (entries[start].time ?? now).seconds < now.seconds - seconds
    }
  }
}

/// Any commit of the log in memory.
private final class WholeEntry: Sendable {
  let commit: LoggedCommit
  /// An estimate, in bytes.
  let memory: Int

  init(_ commit: LoggedCommit) {
    self.commit = commit
    memory = commit.memory
  }
}

extension LoggedCommit {
  /// An estimate of its memory, in bytes. O(changes).
  fileprivate var memory: Int {
    let size = 256 + (info.message?.utf8.count ?? 0)
    if let single = record.single { return size + single.memory }
    return record.classes.values.reduce(size) { $0 + $1.memory }
  }
}

extension SingleChange {
  fileprivate var memory: Int {
    switch kind {
    case .value(_, _, let old): old.memoryOfRecord
    case .created: 0
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
