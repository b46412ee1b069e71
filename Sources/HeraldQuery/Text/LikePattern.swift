/// The pattern of `LIKE`: `*` matches any text, `?` one character; a backslash escapes either, or
/// itself.
///
/// The text between two `*` is a segment; matching its first occurrence is always sufficient. A segment
/// without `?` is found in linear time; one with `?` by a bitset of states for each byte, 64 per word.
struct LikePattern: Sendable {
  fileprivate enum Part: Equatable {
    case byte(UInt8)
    /// `?`
    case anyCharacter
  }

  /// The parts between two `*`.
  fileprivate struct Segment: Sendable {
    var parts: [Part] = []
    /// Set if the segment has no `?`.
    var needle: Needle?
    /// Set if the segment has a `?`.
    var states: LikeStates?
  }

  /// One more than the number of `*`.
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
        // Consecutive `*` are equal to one.
        if segments.count == 1 || !segments[segments.count - 1].parts.isEmpty {
          segments.append(Segment())
        }
      } else {
        segments[segments.count - 1].parts.append(
          byte == UInt8(ascii: "?") ? .anyCharacter : .byte(byte))
      }
      index += 1
    }
    self.segments = segments
    for index in segments.indices.dropFirst() { self.segments[index].compile() }
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var position = segments[0].end(beginningAt: 0, in: text) else { return false }
    guard segments.count > 1 else { return position == text.count }
    for segment in segments[1..<segments.count - 1] {
      guard let end = segment.end(in: text, from: position) else { return false }
      position = end
    }
    return segments[segments.count - 1].ends(text, from: position)
  }
}

extension LikePattern.Segment {
  fileprivate mutating func compile() {
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

  /// Returns the end of the segment if it occurs at `start`, else nil.
  fileprivate func end(beginningAt start: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var position = start
    for part in parts {
      guard position < text.count else { return nil }
      switch part {
      case .byte(let byte):
        guard text[position] == byte else { return nil }
        position += 1
      case .anyCharacter:
        position += 1
        while position < text.count, text[position].isContinuation { position += 1 }
      }
    }
    return position
  }

  /// Returns the end of the first occurrence at or after `start`.
  fileprivate func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let needle { return needle.end(in: text, from: start) }
    return states?.end(in: text, from: start, atEndOnly: false)
  }

  /// Returns whether the text from `start` on ends with the segment.
  fileprivate func ends(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard let needle else { return states?.end(in: text, from: start, atEndOnly: true) != nil }
    guard text.count - start >= needle.bytes.count else { return false }
    return UnsafeRawBufferPointer(rebasing: text[start...]).ends(with: needle.bytes)
  }
}

/// Searches for the parts of a segment with a nondeterministic automaton: after each byte, bit n is set
/// if the first n parts can end there (the shift-and algorithm).
private struct LikeStates: Sendable {
  private let count: Int
  private let wordCount: Int
  /// For each byte, the parts that match it, `wordCount` words each. A `?` is in none.
  private let byteMasks: [UInt64]
  private let wildcards: [UInt64]

  /// - Parameter parts: nil is a `?`.
  init(_ parts: [UInt8?]) {
    count = parts.count
    wordCount = parts.count / 64 + 1
    var byteMasks = [UInt64](repeating: 0, count: 256 * wordCount)
    var wildcards = [UInt64](repeating: 0, count: wordCount)
    for (index, part) in parts.enumerated() {
      let bit = UInt64(1) << UInt64(index & 63)
      if let part {
        byteMasks[Int(part) * wordCount + index / 64] |= bit
      } else {
        wildcards[index / 64] |= bit
      }
    }
    self.byteMasks = byteMasks
    self.wildcards = wildcards
  }

  /// Returns the end of the first occurrence at or after `start`; with `atEndOnly`, of the first that
  /// ends with the text.
  func end(in text: UnsafeRawBufferPointer, from start: Int, atEndOnly: Bool) -> Int? {
    // Bit n: the first n parts match. `inside`: the last of them is a `?` whose character may continue.
    var matched = [UInt64](repeating: 0, count: wordCount)
    var inside = matched
    let (lastWord, lastBit) = (count / 64, UInt64(1) << UInt64(count & 63))
    for position in start..<max(start, text.count) {
      let byte = text[position]
      let isContinuation = byte.isContinuation
      if !isContinuation, !atEndOnly, inside[lastWord] & lastBit != 0 { return position }
      matched[0] |= 1
      var (carried, carriedInside) = (UInt64(0), UInt64(0))
      for word in 0..<wordCount {
        let ready = isContinuation ? matched[word] : matched[word] | inside[word]
        let byBytes = ready & byteMasks[Int(byte) * wordCount + word]
        let byWildcards = ready & wildcards[word]
        matched[word] = byBytes << 1 | carried
        inside[word] = byWildcards << 1 | carriedInside | (isContinuation ? inside[word] : 0)
        carried = byBytes >> 63
        carriedInside = byWildcards >> 63
      }
      if !atEndOnly, matched[lastWord] & lastBit != 0 { return position + 1 }
    }
    let isFound = (matched[lastWord] | inside[lastWord]) & lastBit != 0
    return isFound ? text.count : nil
  }
}

extension UInt8 {
  /// Whether it is a continuation byte of UTF-8.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
