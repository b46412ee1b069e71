import Herald

extension CSVReader {
  func isQuoted(_ index: Int) -> Bool { spans[index].isQuoted }

  func isEmpty(_ index: Int) -> Bool { spans[index].start == spans[index].end }

  /// Whether the record that was read last begins with `#`.
  var beginsComment: Bool {
    !isQuoted(0) && !isEmpty(0) && buffer.bytes[spans[0].start] == Byte.number
  }

  /// Whether a field is a number in the usual notation. Leaves the buffer as it is, to be read again.
  func hasNumber(_ index: Int) -> Bool {
    let span = spans[index]
    if span.hasEscapes { return false }
    return CellText.isNumber(
      CellText.trimmed(
        UnsafeBufferPointer(start: buffer.bytes + span.start, count: span.end - span.start)))
  }

  /// The content of a field in the usual notation, valid until the next record is read; that of another notation, until the
  /// next call.
  @inline(__always)
  mutating func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    if kinds == nil || readsPlainRecords { return written(index) }
    return usual(index)
  }

  @inline(never)
  private mutating func usual(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let written = self.written(index)
    switch reading(written, index) {
    case .same: return written
    case .missing:
      spans[index].end = spans[index].start
      spans[index].isQuoted = false
      return self.written(index)
    case .usual(let text): return spans.hold(text)
    // No value is read from it.
    case .invalid: return spans.hold([0xFF])
    }
  }

  private func reading(
    _ written: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> FieldNotation.Reading {
    guard let kind = kinds?[index] else { return .same }
    return dialect.notation.reading(of: written, isQuoted: isQuoted(index), as: kind)
  }

  /// The content of a field as the file has it.
  private mutating func written(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    if spans[index].hasEscapes { removeEscapes(index) }
    let span = spans[index]
    return UnsafeBufferPointer(start: buffer.bytes + span.start, count: span.end - span.start)
  }

  mutating func field(_ index: Int) throws(JSONReader.Failure) -> CSVField {
    let written = self.written(index)
    guard let text = String(validating: written, as: UTF8.self) else {
      throw JSONReader.Failure(line: line, reason: buffer.invalidUTF8)
    }
    var field = CSVField(text: text, isQuoted: isQuoted(index))
    let reading = reading(written, index)
    switch reading {
    case .same, .invalid: break
    case .missing: return CSVField(text: "", isQuoted: false)
    case .usual(let bytes): field.text = String(decoding: bytes, as: UTF8.self)
    }
    if let kind = kinds?[index], let expectation = dialect.notation.expectation(of: kind) {
      field.written = CSVField.Written(
        text: text, expectation: expectation, isInvalid: reading == .invalid)
    }
    return field
  }

  /// Shortens a field in the buffer.
  private mutating func removeEscapes(_ index: Int) {
    let (bytes, quote, escape) = (buffer.bytes, dialect.quote, dialect.escape)
    var target = spans[index].start
    var offset = target
    while offset < spans[index].end {
      var byte = bytes[offset]
      let next = offset + 1 < spans[index].end ? bytes[offset + 1] : 0
      if byte == quote || byte == escape && (next == quote || next == escape) {
        byte = next
        offset += 1
      }
      bytes[target] = byte
      target += 1
      offset += 1
    }
    spans[index].end = target
    spans[index].hasEscapes = false
  }
}
