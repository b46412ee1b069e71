import HeraldStorage

/// A check of a whole store, and the problems that it finds.
struct StoreCheck {
  private let snapshot: StorageSnapshot
  private(set) var problems: [String] = []

  init(_ snapshot: StorageSnapshot) { self.snapshot = snapshot }

  mutating func note(_ problem: String) { problems.append(problem) }

  private mutating func expect(_ holds: Bool, _ diagnostic: @autoclosure () -> String) {
    if !holds { problems.append(diagnostic()) }
  }
}

extension StoreCheck {
  /// The record of one class, and the counts from its presence blocks.
  private struct ClassCount {
    var record: ClassRecord?
    var present = 0
    var highest = 0
  }

  mutating func checkColumns() {
    var classes: [UInt32: ClassCount] = [:]
    var announcedLarge: Set<[UInt8]> = []
    var foundLarge: Set<[UInt8]> = []
    snapshot.forEachRecord(.columns, from: nil) { key, value in
      guard key.count == 12 || key.count == 13 else {
        problems.append("a key of \(key.count) bytes among the columns")
        return true
      }
      let classID = key.bigEndian(at: 0, as: UInt32.self)
      let column = ColumnID(classID: classID, propertyID: key.bigEndian(at: 4, as: UInt32.self))
      let block = key.bigEndian(at: 8, as: UInt32.self)
      if key.count == 13 {
        foundLarge.insert([UInt8](key))
      } else if column.propertyID > 0 {
        checkBlock(FlatBlock(value), column, Int(block))
        announcedLarge.formUnion(largeKeys(FlatBlock(value), [UInt8](key)))
      } else if block == .max {
        classes[classID, default: ClassCount()].record = ClassRecord(value)
        expect(ClassRecord(value) != nil, "the record of class \(classID) is invalid")
      } else {
        count(value, Int(block), &classes[classID, default: ClassCount()])
        expect(
          value.count == ClassRecord.presenceSize,
          "presence block \(block) of class \(classID) has the wrong size")
      }
      return true
    }
    expect(
      announcedLarge == foundLarge, "the large values do not match the blocks that refer to them")
    for (classID, count) in classes.sorted(by: { $0.key < $1.key }) {
      let record = count.record ?? ClassRecord()
      expect(
        record.count == count.present,
        "class \(classID) counts \(record.count) objects, but \(count.present) are present")
      expect(
        count.highest < record.next,
        "class \(classID) has object \(count.highest), but its next number is \(record.next)")
    }
  }

  private func count(_ presence: UnsafeRawBufferPointer, _ block: Int, _ count: inout ClassCount) {
    for (index, byte) in presence.enumerated() where byte != 0 {
      count.present += byte.nonzeroBitCount
      count.highest = block * 256 + index * 8 + 7 - byte.leadingZeroBitCount
    }
  }

  private mutating func checkBlock(_ flat: FlatBlock, _ column: ColumnID, _ block: Int) {
    let name = "block \(block) of column \(column.classID).\(column.propertyID)"
    let wrong = flat.inconsistencies(count: 256)
    problems += wrong.map { "\(name): \($0)" }
    guard wrong.isEmpty else { return }
    let known = ~flat.nils
    expect(known != .zero, "\(name) has no value")
    let absent = ~snapshot.presence(column.classID, block: block)
    expect(known & absent == .zero, "\(name) has values of absent objects")
  }

  private func largeKeys(_ flat: FlatBlock, _ key: [UInt8]) -> [[UInt8]] {
    guard flat.isReadable, flat.count == 256 else { return [] }
    return (0..<256).filter(flat.isLarge).map { key + [UInt8($0)] }
  }
}

extension StoreCheck {
  /// The directory whose runs are being checked.
  private struct Directory {
    let list: ListID
    let kind: ColumnKind?
    let next: UInt32
    var missing: [UInt32: Int]
  }

  mutating func checkLists() {
    var directory: Directory?
    snapshot.forEachRecord(.lists, from: nil) { key, value in
      guard key.count == 16 || key.count == 20 else {
        problems.append("a key of \(key.count) bytes among the lists")
        return true
      }
      let column = ColumnID(
        classID: key.bigEndian(at: 0, as: UInt32.self),
        propertyID: key.bigEndian(at: 4, as: UInt32.self))
      let owner = Int(truncatingIfNeeded: key.bigEndian(at: 8, as: UInt64.self))
      let list = ListID(column: column, owner: owner)
      if key.count == 16 {
        checkComplete(directory)
        directory = checkRoot(ListRoot(value), list)
      } else {
        checkRun(FlatBlock(value), key.bigEndian(at: 16, as: UInt32.self), list, &directory)
      }
      return true
    }
    checkComplete(directory)
  }

  private mutating func checkRoot(_ root: ListRoot?, _ list: ListID) -> Directory? {
    guard let root else {
      problems.append("the root of \(list) is invalid")
      return nil
    }
    expect(root.count > 0, "\(list) is empty, but has a root")
    expect(snapshot.isPresent(list.column.classID, list.owner), "\(list) has no owner")
    if root.isInline {
      problems += root.inlineBlock.inconsistencies(count: nil).map { "\(list): \($0)" }
      return nil
    }
    var directory = Directory(list: list, kind: root.kind, next: root.nextRun, missing: [:])
    for run in 0..<root.runCount { directory.missing[root.runID(run)] = root.runLength(run) }
    expect(directory.missing.count == root.runCount, "\(list) names a run twice")
    let total = directory.missing.values.reduce(0, +)
    expect(total == root.count, "\(list) counts \(root.count), its runs \(total)")
    return directory
  }

  private mutating func checkRun(
    _ block: FlatBlock, _ id: UInt32, _ list: ListID, _ directory: inout Directory?
  ) {
    guard directory?.list == list, let count = directory?.missing.removeValue(forKey: id) else {
      problems.append("run \(id) of \(list) is in no directory")
      return
    }
    problems += block.inconsistencies(count: count).map { "run \(id) of \(list): \($0)" }
    expect(count > 0 && count <= ListRoot.longestRun, "run \(id) of \(list) has \(count) elements")
    expect(block.kind == directory?.kind, "run \(id) of \(list) is of the wrong kind")
    expect(id < directory?.next ?? 0, "run \(id) of \(list) has an id that will be reused")
  }

  private mutating func checkComplete(_ directory: Directory?) {
    guard let directory, !directory.missing.isEmpty else { return }
    problems.append("\(directory.list) lacks the runs \(directory.missing.keys.sorted())")
  }
}

extension StoreCheck {
  mutating func checkLinksAndIndex() {
    var previous: [UInt8] = []
    snapshot.forEachRecord(.links, from: nil) { key, value in
      guard key.count == 20, value.count == 12 else {
        problems.append("a reverse link of \(key.count) and \(value.count) bytes")
        return true
      }
      let links = value.bigEndian(at: 8, as: UInt32.self)
      expect(links > 0, "a reverse link has a count of 0")
      let entry = [UInt8](key) + value.prefix(8)
      expect(entry != previous, "an origin has two entries")
      previous = entry
      return true
    }
    snapshot.forEachRecord(.index, from: nil) { key, value in
      let isEntry = key.count > 8 && key.count <= IndexKey.longest && value.count == 8
      expect(isEntry, "an index entry of \(key.count) and \(value.count) bytes")
      return true
    }
  }

  mutating func checkLog() {
    let state = snapshot.state
    var size = 0
    snapshot.forEachRecord(.log, from: nil) { key, value in
      size += value.count
      let version = Int(truncatingIfNeeded: key.bigEndian(at: 0, as: UInt64.self))
      expect(version <= state.version, "the log is ahead: \(version) of \(state.version)")
      return true
    }
    expect(size == state.loggedBytes, "the log has \(size) bytes, not \(state.loggedBytes)")
  }
}
