package import HeraldModel
import HeraldObservation
import HeraldStorage

extension Session {
  /// Deletes the objects that their classes do not keep any longer in the write that is being committed, which may have
  /// added others. O(classes that keep some objects only, and objects deleted).
  func deleteExpired() throws {
    let write = try openWrite()
    let now = hub.clock.next().milliseconds
    for classID in write.reader.layout.retained {
      guard let classSchema = schema.classSchema(classID), let retention = classSchema.retention
      else { continue }
      let known = try marks(of: classID, write.reader)
      var marks = known
      // What an undo has added may have numbers of long ago.
      if write.reversal != nil { marks.firstBlock = 0 }
      var end: Int?
      if let age = retention.age {
        marks.note(next: write.reader.storage.nextNumber(classID.rawValue), at: now, age: age)
        end = marks.takeExpired(at: now, age: age)
      }
      let expired = expired(
        of: classID, below: end ?? 0, count: retention.count, &marks, write.reader)
      if !expired.isEmpty { try delete(expired) {} }
      if marks != known {
        try stored { () throws(StorageError) in
          try write.transaction.setMetadata(ExpiryMarks.name(of: classID), marks.encoded)
        }
      }
    }
  }

  /// The oldest objects of a class: those with numbers below `end`, and those above `count`.
  private func expired(
    of classID: ClassID, below end: Int, count: Int?, _ marks: inout ExpiryMarks,
    _ reader: TransactionReader
  ) -> [ObjectID] {
    let excess = count.map { reader.objectCount(of: classID) - $0 } ?? 0
    var expired: [ObjectID] = []
    for block in marks.firstBlock..<max(marks.firstBlock, reader.blockCount(of: classID)) {
      if block * blockSize >= end, expired.count >= excess { break }
      let objects = reader.objects(of: classID, block: block)
      let some = objects.prefix { object in
        if object.number >= end, expired.count >= excess { return false }
        expired.append(object)
        return true
      }
      if some.count < objects.count { break }
      // Written only now and then: a commit that finds a few empty blocks is as fast.
      if block >= marks.firstBlock + Self.emptyBlocks { marks.firstBlock = block }
    }
    return expired
  }

  /// The number of empty blocks that a commit may pass before it reaches the oldest object.
  private static let emptyBlocks = 32

  private func marks(
    of classID: ClassID, _ reader: TransactionReader
  ) throws -> ExpiryMarks {
    guard let bytes = reader.storage.metadata(ExpiryMarks.name(of: classID)) else {
      return ExpiryMarks()
    }
    do {
      return try ExpiryMarks(encoded: bytes)
    } catch {
      throw HeraldError.damaged(
        path: hub.environment.path ?? "", reason: "the ages of objects cannot be read")
    }
  }

  /// The time at which the next objects expire by their age; nil if none will.
  package var nextExpiry: Timestamp? {
    get throws {
      let reader = position.reader
      var next: Int?
      for classID in reader.layout.retained {
        guard let age = reader.layout.schema.classSchema(classID)?.retention?.age,
          let time = try marks(of: classID, reader).nextExpiry(age: age)
        else { continue }
        next = min(next ?? time, time)
      }
      return next.map { Timestamp(seconds: $0 / 1_000, nanoseconds: Int32($0 % 1_000) * 1_000_000) }
    }
  }
}

extension ObjectRetention {
  /// The time that objects are kept, in milliseconds; nil for no limit.
  fileprivate var age: Int? { seconds.map { min($0, 1 << 40) * 1_000 } }
}

extension Timestamp {
  /// Since 1970.
  fileprivate var milliseconds: Int { seconds * 1_000 + Int(nanoseconds) / 1_000_000 }
}
