import Herald

/// A place in JSON that is in memory, as far as it is read there. What is of another form than usual ends the reading, and is
/// read again by `JSONStream`, which knows all forms and all errors.
///
/// Eight bytes behind the text can be read.
struct JSONCursor {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  let bytes: UnsafePointer<UInt8>
  /// The end of what was read of the file.
  let end: Int
  var offset: Int
  var line: Int
  /// Whether the reading ended since the text did.
  private(set) var isAtEnd = false

  init(_ buffer: ImportBuffer, line: Int) {
    bytes = UnsafePointer(buffer.bytes)
    end = buffer.end
    offset = buffer.start
    self.line = line
  }

  /// Returns to an earlier place, keeping why.
  mutating func `return`(to place: JSONCursor) { (offset, line) = (place.offset, place.line) }

  /// Skips white space and takes a sign; returns false if it does not come next.
  @inline(__always)
  mutating func take(_ sign: UInt8) -> Bool {
    guard next == sign, !isAtEnd else { return false }
    offset &+= 1
    return true
  }

  /// The next byte after white space, which is skipped; 0 at the end.
  var next: UInt8 {
    @inline(__always) mutating get {
      while offset < end {
        let byte = bytes[offset]
        if byte > 0x20 { return byte }
        if byte == UInt8(ascii: "\n") {
          line &+= 1
        } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r")
        {
          return byte
        }
        offset &+= 1
      }
      isAtEnd = true
      return 0
    }
  }

  /// Takes a string, whose first quote is here; returns its content, with whether it is ASCII, and whether it has escapes.
  @inline(__always)
  mutating func takeString() -> (range: Range<Int>, isASCII: Bool, hasEscapes: Bool)? {
    let start = offset &+ 1
    var place = start
    var bits: UInt64 = 0
    var hasEscapes = false
    while place < end {
      let word = DecimalDigits.word(bytes + place)
      let found =
        Self.zeros(word ^ (Self.ones &* 0x22)) | Self.zeros(word ^ (Self.ones &* 0x5C))
        | (word &- Self.ones &* 0x20) & ~word & Self.highBits
      if found == 0 {
        bits |= word
        place &+= 8
        continue
      }
      let index = found.trailingZeroBitCount >> 3
      bits |= word & (1 &<< UInt64(8 &* index) &- 1)
      place &+= index
      guard place < end else { break }
      if bytes[place] == 0x22 {
        offset = place &+ 1
        return (start..<place, bits & Self.highBits == 0, hasEscapes)
      }
      guard bytes[place] == 0x5C else { return nil }
      hasEscapes = true
      // A byte beyond ASCII is found by what reads the escapes.
      place &+= 2
    }
    isAtEnd = true
    return nil
  }

  /// Takes the characters of a number, which may be none.
  @inline(__always)
  mutating func takeNumber() -> Range<Int>? {
    let start = offset
    while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        offset &+= 1
      default: return start..<offset
      }
    }
    isAtEnd = true
    return nil
  }

  /// Takes a word of at most eight letters.
  @inline(__always)
  mutating func take(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard offset &+ count < end else {
      isAtEnd = true
      return false
    }
    for index in 0..<count where bytes[offset &+ index] != word.utf8Start[index] { return false }
    offset &+= count
    return true
  }

  /// Takes an array or an object.
  mutating func takeNested() -> JSONValue? {
    var scan = ExtentScan()
    guard scan.run(bytes + offset, end - offset) else {
      isAtEnd = true
      return nil
    }
    let text = UnsafeBufferPointer(start: bytes + offset, count: scan.length)
    var reader = JSONReader(Array(text), line: line)
    guard let value = try? reader.value() else { return nil }
    offset += reader.offset
    line = reader.line
    return value
  }

  @inline(__always)
  func text(_ range: Range<Int>) -> CellText.Bytes {
    CellText.Bytes(start: bytes + range.lowerBound, count: range.upperBound &- range.lowerBound)
  }

  /// The content of a string with escapes; nil if they are invalid.
  @inline(never)
  func unescaped(_ range: Range<Int>) -> String? {
    try? EscapeReader.text(of: Array(text(range)), in: 0..<range.count)
  }

  /// A word whose lowest bit that is set is in the lowest byte that is zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}

// MARK: Records

extension JSONCursor {
  /// Takes an object, whose members `take` takes, each with the index of its column and the cursor at its value. Returns false
  /// if it is of another form: not in memory, with a name that is unknown or repeated, or what `take` refuses.
  @inline(__always)
  mutating func takeRecord(_ table: JSONTable, _ take: (inout JSONCursor, Int) -> Bool) -> Bool {
    guard self.take(UInt8(ascii: "{")) else { return false }
    table.begin()
    var expected = 0
    while next == 0x22 {
      guard let index = column(table, expected), table.mark(index), self.take(UInt8(ascii: ":")),
        next != 0, take(&self, index)
      else { return false }
      expected = index &+ 1
      if self.take(UInt8(ascii: ",")) { continue }
      return self.take(UInt8(ascii: "}"))
    }
    return false
  }

  /// Takes the name of a member, and returns the index of its column; nil if there is none. `expected`: where it likely is.
  @inline(__always)
  private mutating func column(_ table: JSONTable, _ expected: Int) -> Int? {
    if let count = table.count(ofName: expected, at: bytes + offset + 1, limit: end &- offset &- 2)
    {
      offset &+= count &+ 2
      return expected
    }
    guard let name = takeString(), !name.hasEscapes else { return nil }
    return table.index(of: text(name.range))
  }
}
