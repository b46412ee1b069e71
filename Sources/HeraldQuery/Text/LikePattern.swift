/// The pattern of `LIKE`: `*` stands for any text, `?` for one character; a backslash before either,
/// or before itself, makes it stand for itself.
///
/// Between two `*` stands a segment, of which the first occurrence is as good as any. One without a `?`
/// is found in linear time; with one, by a set of states for each byte, 64 in a word.
struct LikePattern: Sendable {
  fileprivate enum Part: Equatable {
    case byte(UInt8)
    case one
  }

  /// The parts between two `*`.
  fileprivate struct Segment: Sendable {
    var parts: [Part] = []
    /// Where there is no `?` in it.
    var needle: Needle?
    /// Where there is one.
    var states: LikeStates?
  }

  /// One more than there are `*`.
  private var segments: [Segment]

  init(_ pattern: [UInt8]) {
    var segments = [Segment()]
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      let next = index + 1 < pattern.count ? pattern[index + 1] : 0
      let isEscape =
        byte == UInt8(ascii: "\\") && [UInt8(ascii: "*"), UInt8(ascii: "?"), byte].contains(next)
      if isEscape {
        segments[segments.count - 1].parts.append(.byte(next))
        index += 1
      } else if byte == UInt8(ascii: "*") {
        // Several in a row are one.
        if segments.count == 1 || !segments[segments.count - 1].parts.isEmpty {
          segments.append(Segment())
        }
      } else {
        segments[segments.count - 1].parts.append(byte == UInt8(ascii: "?") ? .one : .byte(byte))
      }
      index += 1
    }
    self.segments = segments
    for place in segments.indices.dropFirst() { self.segments[place].makeReady() }
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var place = segments[0].end(beginningAt: 0, in: text) else { return false }
    guard segments.count > 1 else { return place == text.count }
    for segment in segments[1..<segments.count - 1] {
      guard let end = segment.end(in: text, from: place) else { return false }
      place = end
    }
    return segments[segments.count - 1].ends(text, from: place)
  }
}

extension LikePattern.Segment {
  fileprivate mutating func makeReady() {
    let bytes = parts.compactMap { part -> UInt8? in
      if case .byte(let byte) = part { byte } else { nil }
    }
    if bytes.count == parts.count {
      needle = Needle(bytes)
    } else {
      states = LikeStates(
        parts.map { part in if case .byte(let byte) = part { byte } else { nil } })
    }
  }

  /// Where it ends if it begins at a place; nil where it does not.
  fileprivate func end(beginningAt start: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var place = start
    for part in parts {
      guard place < text.count else { return nil }
      switch part {
      case .byte(let byte):
        guard text[place] == byte else { return nil }
        place += 1
      case .one:
        place += 1
        while place < text.count, text[place].isContinuation { place += 1 }
      }
    }
    return place
  }

  /// Where its first occurrence from a place on ends.
  fileprivate func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let needle { return needle.end(in: text, from: start) }
    return states?.end(in: text, from: start, atEndOnly: false)
  }

  /// Whether the text, from a place on, ends in it.
  fileprivate func ends(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard let needle else { return states?.end(in: text, from: start, atEndOnly: true) != nil }
    guard text.count - start >= needle.bytes.count else { return false }
    return UnsafeRawBufferPointer(rebasing: text[start...]).ends(with: needle.bytes)
  }
}

/// Looks for parts in a text, wherever they begin: after each byte it is known how many of the parts
/// can have been passed by then, a bit for each number.
private struct LikeStates: Sendable {
  private let count: Int
  private let wordCount: Int
  /// For each byte, which parts it fits: `wordCount` words each. A `?` is among none.
  private let fits: [UInt64]
  private let ones: [UInt64]

  /// - Parameter parts: nil stands for one character.
  init(_ parts: [UInt8?]) {
    count = parts.count
    wordCount = parts.count / 64 + 1
    var fits = [UInt64](repeating: 0, count: 256 * wordCount)
    var ones = [UInt64](repeating: 0, count: wordCount)
    for (place, part) in parts.enumerated() {
      let bit = UInt64(1) << UInt64(place & 63)
      if let part {
        fits[Int(part) * wordCount + place / 64] |= bit
      } else {
        ones[place / 64] |= bit
      }
    }
    self.fits = fits
    self.ones = ones
  }

  /// Where the first occurrence from `start` on ends; `atEndOnly`: of those that end with the text.
  func end(in text: UnsafeRawBufferPointer, from start: Int, atEndOnly: Bool) -> Int? {
    // Bit n: n parts are passed. `inside`: the last of them is a `?` whose character may go on.
    var passed = [UInt64](repeating: 0, count: wordCount)
    var inside = passed
    let (lastWord, lastBit) = (count / 64, UInt64(1) << UInt64(count & 63))
    for place in start..<max(start, text.count) {
      let byte = text[place]
      let isContinuation = byte.isContinuation
      if !isContinuation, !atEndOnly, inside[lastWord] & lastBit != 0 { return place }
      passed[0] |= 1
      var (carried, carriedInside) = (UInt64(0), UInt64(0))
      for word in 0..<wordCount {
        let ready = isContinuation ? passed[word] : passed[word] | inside[word]
        let byBytes = ready & fits[Int(byte) * wordCount + word]
        let byOnes = ready & ones[word]
        passed[word] = byBytes << 1 | carried
        inside[word] = byOnes << 1 | carriedInside | (isContinuation ? inside[word] : 0)
        carried = byBytes >> 63
        carriedInside = byOnes >> 63
      }
      if !atEndOnly, passed[lastWord] & lastBit != 0 { return place + 1 }
    }
    let isThere = (passed[lastWord] | inside[lastWord]) & lastBit != 0
    return isThere ? text.count : nil
  }
}

extension UInt8 {
  /// Whether it is a later byte of a character in UTF-8.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
