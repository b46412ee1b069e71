import HeraldStorage
import Synchronization
import TestSupport
import Testing

@Suite struct TransactionTests {
  private final class Flag: Sendable {
    let isUp = Atomic(false)
  }

  private let column = ColumnID(classID: 1, propertyID: 1)

  @Test func `a snapshot stays as it was until it is renewed`() throws {
    try withStore { environment in
      try environment.write { write in
        _ = try write.create(1)
        try write.setInteger(column, 1, 10)
      }
      let read = try environment.beginRead()
      let value = read.integer(column, 1)
      #expect(value == 10)
      for version in 2...50 {
        let made = try environment.write { try $0.setInteger(column, 1, version * 10) }
        #expect(made == version)
      }
      let old = (read.version, read.integer(column, 1))
      #expect(old == (1, 10))
      #expect(try environment.committedVersion() == 50)
      try read.renew()
      let new = (read.version, read.integer(column, 1))
      #expect(new == (50, 500))
      try read.renew()
      let same = (read.version, read.integer(column, 1))
      #expect(same == (50, 500))
    }
  }

  @Test(arguments: 1...8)
  func `each transaction knows the objects that those before it have left`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    try withStore { environment in
      var present: [UInt32: Set<Int>] = [:]
      var last: [UInt32: Int] = [:]
      for _ in 0..<80 {
        let write = try environment.beginWrite()
        var attempt = present
        for _ in 0...random.below(3) {
          let classID = UInt32(1 + random.below(2))
          switch random.below(5) {
          case 0:
            if let number = attempt[classID]?.min() {
              try write.delete(classID, number)
              attempt[classID]?.remove(number)
            }
          case 1:
            let numbers = try write.create(classID, count: 1 + random.below(300))
            #expect(numbers.lowerBound > last[classID] ?? 0)
            last[classID] = numbers.upperBound - 1
            attempt[classID, default: []].formUnion(numbers)
          default:
            let number = try write.create(classID)
            #expect(number > last[classID] ?? 0)
            last[classID] = number
            attempt[classID, default: []].insert(number)
          }
        }
        if random.chance(0.2) {
          write.abort()
        } else {
          _ = try write.commit()
          present = attempt
        }
        let read = try environment.beginRead()
        for classID in UInt32(1)...2 {
          let numbers = present[classID] ?? []
          #expect(read.objectCount(classID) == numbers.count)
          let found = (1...(last[classID] ?? 1)).filter { read.isPresent(classID, $0) }
          #expect(found == numbers.sorted())
        }
      }
    }
  }

  @Test func `a transaction that is aborted or dropped leaves nothing`() throws {
    try withStore { environment in
      let write = try environment.beginWrite()
      _ = try write.create(1)
      try write.setInteger(column, 1, 3)
      try write.setMetadata("name", [1])
      write.abort()
      do {
        let dropped = try environment.beginWrite()
        _ = try dropped.create(1)
      }
      let read = try environment.beginRead()
      let seen = (read.objectCount(1), read.integer(column, 1), read.metadata("name"))
      #expect(seen.0 == 0)
      #expect(seen.1 == nil)
      #expect(seen.2 == nil)
      #expect(try environment.committedVersion() == 0)
    }
  }

  @Test func `a long value that its transaction has replaced by a shorter one is no damage`() throws
  {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try write(to: path)
      let environment = try StorageEnvironment.open(.file(path))
      try expectSound(environment)
      let read = try environment.beginRead()
      #expect(read.value(column, .bytes, 1) == .bytes([UInt8](repeating: 2, count: 5000)))
      #expect(read.metadata("name") == [UInt8](repeating: 2, count: 100))
    }

    func write(to path: String) throws {
      let environment = try StorageEnvironment.open(.file(path))
      try environment.write { write in
        let object = try write.create(1)
        try write.set(column, .bytes, object, .bytes([UInt8](repeating: 1, count: 30_000)))
        try write.set(column, .bytes, object, .bytes([UInt8](repeating: 2, count: 5000)))
        try write.setMetadata("name", [UInt8](repeating: 1, count: 30_000))
        try write.setMetadata("name", [UInt8](repeating: 2, count: 100))
      }
      try expectSound(environment)
    }
  }

  @Test func `readers on other threads see whole commits`() async throws {
    let environment = try StorageEnvironment.open(.memory)
    let other = ColumnID(classID: 1, propertyID: 2)
    try environment.write { write in
      for _ in 1...600 { _ = try write.create(1) }
    }
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let read = try environment.beginRead()
          var torn = 0
          while !isOver.isUp.load(ordering: .relaxed) {
            try read.renew()
            for number in stride(from: 1, through: 600, by: 37) {
              let pair = (read.integer(self.column, number), read.integer(other, number))
              if pair.0 != pair.1 { torn += 1 }
            }
          }
          return torn
        }
      }
      for round in 0..<2000 {
        try environment.write { write in
          let number = round % 600 + 1
          try write.setInteger(column, number, round)
          try write.setInteger(other, number, round)
        }
      }
      isOver.isUp.store(true, ordering: .relaxed)
      for try await torn in group { #expect(torn == 0) }
    }
    try expectSound(environment)
  }

  @Test func `the log keeps the newest entries`() throws {
    try withStore { environment in
      environment.keepLog(entries: 4096)
      for version in 1...5000 {
        try environment.write { $0.setLogEntry([UInt8(version & 255), UInt8(version >> 8)]) }
      }
      let read = try environment.beginRead()
      let oldest = read.oldestLogVersion ?? 0
      #expect(oldest > 5000 - 4096 - 256 && oldest <= 5000 - 4095)
      for version in oldest...5000 {
        let entry = read.logEntry(version)
        #expect(entry == [UInt8(version & 255), UInt8(version >> 8)])
      }
      let gone = read.logEntry(oldest - 1)
      #expect(gone == nil)
    }
  }

  @Test func `large entries of the log drive out old ones, never the newest`() throws {
    try withStore { environment in
      let large = [UInt8](repeating: 7, count: 7 << 20)
      let limits = LogLimits(bytes: 16 << 20)
      for _ in 1...4 { try environment.write { $0.setLogEntry(large, limits) } }
      #expect(try environment.beginRead().oldestLogVersion == 3)
      try environment.write { $0.setLogEntry([UInt8](repeating: 7, count: 17 << 20), limits) }
      #expect(try environment.beginRead().oldestLogVersion == 5)
    }
  }

  @Test func `a full store refuses the write and keeps what it has`() throws {
    let environment = try StorageEnvironment.open(.memory, mapSize: 1 << 20)
    try environment.write { write in
      _ = try write.create(1)
      try write.setInteger(column, 1, 5)
    }
    let bytes = ColumnID(classID: 1, propertyID: 2)
    for _ in 0..<3 {
      #expect(throws: StorageError.full(path: "")) {
        try environment.write { write in
          let large = [UInt8](repeating: 1, count: 900)
          for _ in 0..<2000 {
            let number = try write.create(1)
            try write.set(bytes, .bytes, number, .bytes(large))
          }
        }
      }
      let large = StoredValue.bytes([UInt8](repeating: 1, count: 2 << 20))
      let refused = #expect(throws: StorageError.self) {
        try environment.write { write in
          let refusals = [
            refusal { try write.set(bytes, .bytes, 1, large) },
            refusal { try write.setInteger(column, 300, 1) },
            refusal { _ = try write.create(1) },
          ]
          #expect(refusals == [.full(path: ""), .full(path: ""), .full(path: "")])
          let read = write.snapshot.integer(column, 1)
          #expect(read == nil || read == 5)
        }
      }
      #expect(refused == .full(path: ""))
      #expect(try environment.beginRead().integer(column, 1) == 5)
      #expect(try environment.beginRead().objectCount(1) == 1)
    }
    try environment.write { try $0.setInteger(column, 1, 6) }
    #expect(try environment.beginRead().integer(column, 1) == 6)
    try expectSound(environment)
  }

  private func refusal(_ body: () throws -> Void) -> StorageError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StorageError
    }
  }

  @Test func `metadata is kept by name`() throws {
    try withStore { environment in
      try environment.write { write in
        try write.setMetadata("a", [1])
        try write.setMetadata("b", [UInt8](repeating: 2, count: 9000))
        try write.setMetadata("a", [3])
        let own = write.snapshot.metadata("a")
        #expect(own == [3])
      }
      let read = try environment.beginRead()
      let found = [read.metadata("a"), read.metadata("b"), read.metadata("c")]
      #expect(found == [[3], [UInt8](repeating: 2, count: 9000), nil])
    }
  }

  @Test func `numbers of deleted objects are not given again`() throws {
    try withFolder { folder in
      for round in 0..<3 {
        try withStore(.file("\(folder)/numbers.hdb")) { environment in
          try environment.write { write in
            let number = try write.create(1)
            #expect(number == round + 1)
            try write.setInteger(column, number, 1)
          }
          try environment.write { try $0.delete(1, round + 1) }
        }
      }
    }
  }
}
