package import HeraldModel
import HeraldObservation

// The form of what follows is described with that of records.

extension CommitInfo {
  /// When the commit of an entry was made; nil for one in the format of another version.
  static func time(ofEntry entry: UnsafeRawBufferPointer) -> Timestamp? {
    var reader = ByteReader(Array(entry.prefix(24)))
    guard (try? reader.byte()) == entryVersion else { return nil }
    return try? reader.time()
  }

  /// Decodes what an entry has besides the record; nil for one in the format of another version.
  package init?(ofEntry bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard try reader.byte() == entryVersion else { return nil }
    self = try reader.info()
  }
}

extension ByteWriter {
  mutating func info(
    _ time: Timestamp, _ session: String, process: Int, _ message: String?,
    _ reversal: CommitInfo.Reversal?
  ) {
    integer(time.seconds)
    integer(Int(time.nanoseconds))
    var flags: UInt8 = message == nil ? 0 : 1
    switch reversal {
    case .undo?: flags |= 2
    case .redo?: flags |= 4
    case nil: break
    }
    byte(flags)
    if let message { string(message) }
    string(session)
    count(process)
    if let reversal { count(reversal.version) }
  }

  mutating func previous(_ previous: PreviousSchema) {
    let difference = previous.difference
    byte(
      (previous.isComplete ? 1 : 0) | (difference.projections == nil ? 0 : 2)
        | (difference.definitions == nil ? 0 : 4))
    count(difference.order.count)
    for classID in difference.order { count(Int(classID.rawValue)) }
    var schema = Schema(
      classes: difference.classes, projections: difference.projections ?? [])
    for definition in difference.definitions ?? [] { schema.put(definition) }
    data(schema.encoded())
    count(previous.objects.count)
    for (classID, objects) in previous.objects {
      count(Int(classID.rawValue))
      self.objects(objects)
    }
  }
}

extension ByteReader {
  mutating func time() throws(DamagedBytes) -> Timestamp {
    let seconds = try integer()
    guard let nanoseconds = Int32(exactly: try integer()), 0..<1_000_000_000 ~= nanoseconds else {
      throw DamagedBytes()
    }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  mutating func info() throws(DamagedBytes) -> CommitInfo {
    let time = try time()
    let flags = try byte()
    let message = flags & 1 != 0 ? try string() : nil
    var info = CommitInfo(
      time: time, message: message, session: try string(), process: try count())
    if flags & 2 != 0 {
      info.reversal = .undo(try count())
    } else if flags & 4 != 0 {
      info.reversal = .redo(try count())
    }
    return info
  }

  mutating func previous() throws(DamagedBytes) -> PreviousSchema {
    let flags = try byte()
    var order: [ClassID] = []
    for _ in 0..<(try length()) { order.append(try classID()) }
    let schema = try Schema(encoded: try data(), isPart: true)
    var objects: [ClassID: [ObjectNumber: DeletedObject]] = [:]
    for _ in 0..<(try length()) {
      let classID = try classID()
      objects[classID] = try self.objects()
    }
    let difference = SchemaDifference(
      order: order, classes: schema.classes,
      projections: flags & 2 != 0 ? schema.projections : nil,
      definitions: flags & 4 != 0 ? schema.definitions : nil)
    return PreviousSchema(difference: difference, objects: objects, isComplete: flags & 1 != 0)
  }
}
