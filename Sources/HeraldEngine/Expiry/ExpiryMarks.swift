import HeraldModel

/// When the objects of a class were added, as far as their expiry needs it.
///
/// Objects are numbered in the order in which they were added, so a time and the number of the next object then say of all
/// objects below it that they were there. A mark covers the commits of a span of time; an object is kept for that span longer
/// at most, and is never deleted early.
///
///     marks = count first block, count noted, count marks, (integer begin, integer end, count next number)*
///
/// Times are milliseconds since 1970. It is stored as metadata, under a name with the number of the class.
struct ExpiryMarks: Equatable {
  struct Mark: Equatable {
    /// The times of the first and the last commit that it covers.
    var begin: Int
    var end: Int
    /// The number of the next object after the last one.
    var next: Int
  }

  /// The number of marks over the time that objects are kept.
  private static let count = 64

  /// No object is in a block before it.
  var firstBlock = 0
  /// The number of the next object, as it was noted last.
  private var noted = 1
  private(set) var marks: [Mark] = []

  /// Notes that a commit at a time has added the objects below `next`.
  mutating func note(next: Int, at time: Int, age: Int) {
    guard next > noted else { return }
    noted = next
    if let last = marks.last, time - last.begin < age / Self.count {
      marks[marks.count - 1] = Mark(begin: last.begin, end: max(time, last.end), next: next)
    } else {
      marks.append(Mark(begin: time, end: time, next: next))
    }
  }

  /// Removes the marks of the objects that have an age, and returns the number below which objects have it; nil if none has.
  mutating func takeExpired(at time: Int, age: Int) -> Int? {
    guard let last = marks.lastIndex(where: { $0.end <= time - age }) else { return nil }
    defer { marks.removeFirst(last + 1) }
    return marks[last].next
  }

  /// The time at which the next objects expire.
  func nextExpiry(age: Int) -> Int? { marks.first.map { $0.end + age } }

  // MARK: Coding

  init() {}

  init(encoded bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    (firstBlock, noted) = (try reader.count(), try reader.count())
    for _ in 0..<(try reader.length()) {
      marks.append(
        Mark(begin: try reader.integer(), end: try reader.integer(), next: try reader.count()))
    }
    guard firstBlock >= 0 else { throw DamagedBytes() }
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.count(firstBlock)
    writer.count(noted)
    writer.count(marks.count)
    for mark in marks {
      writer.integer(mark.begin)
      writer.integer(mark.end)
      writer.count(mark.next)
    }
    return writer.bytes
  }

  static func name(of classID: ClassID) -> String { "expiry\(classID.rawValue)" }
}
