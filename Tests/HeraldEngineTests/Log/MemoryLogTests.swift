import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// The log of a store in memory has the newest commits, as many as its limit allows, as they were appended.
@Suite struct MemoryLogTests {
  private static let writers = (0..<3).map { CommitWriter(session: "s\($0)", process: $0) }

  /// A commit with a record of about so many bytes.
  private func commit(_ version: Int, _ size: Int = 0, at seconds: Int = 0) -> LoggedCommit {
    var change = ClassChange()
    change[PropertyID(1)].values[version] = .data([UInt8](repeating: 7, count: size))
    return LoggedCommit(
      info: CommitInfo(
        time: Timestamp(seconds: seconds), message: "m\(version)", session: "s", process: 7),
      record: CommitRecord(version: version, classes: [ClassID(1): change]))
  }

  private func versions(_ log: MemoryLog) -> [Int] { (0..<200).filter { log.commit($0) != nil } }

  // MARK: Limits

  @Test(arguments: [1, 2, 5])
  func `a limit of commits keeps the last ones`(_ limit: Int) {
    var log = MemoryLog()
    log.retention = .commits(limit)
    for version in 1...9 {
      log.append(commit(version))
      #expect(versions(log) == Array(max(1, version - limit + 1)...version))
      #expect(log.oldest == max(1, version - limit + 1))
    }
  }

  @Test func `a limit of bytes keeps the last commits that fit, and at least one`() {
    var log = MemoryLog()
    log.append(commit(1, 10_000))
    let size = log.size(of: 1)
    log.retention = .bytes(3 * size)
    for version in 2...6 { log.append(commit(version, 10_000)) }
    #expect(versions(log) == [4, 5, 6])
    log.append(commit(7, 20_000))
    #expect(versions(log) == [6, 7])
    log.append(commit(8, 200_000))
    #expect(versions(log) == [8])
    #expect(log.size(of: 7) == 0)
    log.append(commit(9, 10_000))
    #expect(versions(log) == [9])
  }

  @Test func `a limit of time keeps the commits of the last seconds, and at least one`() {
    var log = MemoryLog()
    log.retention = .seconds(10)
    for version in 1...5 { log.append(commit(version, at: 4 * version)) }
    // At 20 seconds those from 10 on.
    #expect(versions(log) == [3, 4, 5])
    log.trim(at: Timestamp(seconds: 27))
    #expect(versions(log) == [5])
    log.trim(at: Timestamp(seconds: 1_000))
    #expect(versions(log) == [5])
  }

  @Test func `a smaller limit removes commits when the log is trimmed`() {
    var log = MemoryLog()
    log.retention = .all
    for version in 1...9 { log.append(commit(version, at: version)) }
    #expect(versions(log) == Array(1...9))
    log.retention = .commits(2)
    log.trim(at: Timestamp(seconds: 9))
    #expect(versions(log) == [8, 9])
  }

  @Test func `after a gap only what follows it is there`() {
    var log = MemoryLog()
    for version in 3...5 { log.append(commit(version)) }
    log.append(commit(9))
    #expect(versions(log) == [9])
    #expect(log.oldest == 9)
  }

  @Test func `a single change has the memory of its old value`() {
    var log = MemoryLog()
    log.append(
      SingleChange(ClassID(1), .value(PropertyID(1), 1, old: .int(3))), version: 1,
      at: Timestamp(seconds: 1), by: Self.writers[0])
    log.append(
      SingleChange(
        ClassID(1), .value(PropertyID(1), 1, old: .data([UInt8](repeating: 0, count: 500)))),
      version: 2, at: Timestamp(seconds: 1), by: Self.writers[0])
    log.append(
      SingleChange(ClassID(1), .created(1...9)), version: 3, at: Timestamp(seconds: 1),
      by: Self.writers[0])
    #expect((1...3).map { log.size(of: $0) } == [128 + 64, 128 + 64 + 32 + 500, 128])
  }

  // MARK: Random commits

  @Test(arguments: seeds(10))
  func `each commit that is kept is as it was appended, with its writer`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var log = MemoryLog()
    log.retention = .commits(random.pick([1, 20, 300]))
    guard case .commits(let limit) = log.retention else { return }
    var model: [LoggedCommit] = []
    var version = 0
    for step in 0..<1_200 {
      let time = Timestamp(seconds: step)
      if random.chance(5), let last = model.last {
        // The last commit failed.
        log.removeLast(version: last.record.lastVersion)
        model.removeLast()
        version -= 1
      } else if random.oneIn(400) {
        version += 2
        log.append(commit(version, at: step))
        model = [commit(version, at: step)]
      } else if random.chance(30) {
        version += 1
        log.append(commit(version, at: step))
        model.append(commit(version, at: step))
      } else {
        version += 1
        let change = SingleChange(
          ClassID(2), .value(PropertyID(1), version, old: .int(step)))
        let writer = Self.writers[random.below(10) % 3]
        log.append(change, version: version, at: time, by: writer)
        var record = CommitRecord(version: version, single: change)
        record.expand()
        model.append(LoggedCommit(info: CommitInfo(time, by: writer), record: record))
      }
      if model.count > limit { model.removeFirst(model.count - limit) }
      #expect(log.oldest == model.first?.record.lastVersion, "seed \(seed)")
      for commit in [model.first, model.last, model.randomElement(using: &random)] {
        guard let commit else { continue }
        #expect(log.commit(commit.record.lastVersion) == commit, "seed \(seed)")
      }
      #expect(log.commit((model.first?.record.lastVersion ?? 1) - 1) == nil, "seed \(seed)")
      #expect(log.commit((model.last?.record.lastVersion ?? version) + 1) == nil, "seed \(seed)")
    }
  }
}
