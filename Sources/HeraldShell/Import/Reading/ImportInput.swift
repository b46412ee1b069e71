/// The text of an imported file, as UTF-8: decompressed, decoded, without a byte order mark, and read as
/// often as needed.
final class ImportInput {
  private let file: any RewindableSource
  private let encoding: TextEncoding?
  /// Whether the first bytes do not say what the file is.
  private let isKnownText: Bool
  private var source: any ByteSource

  /// - Parameter encoding: The encoding; nil for UTF-8, or UTF-16 that is seen to be it.
  init(_ file: any RewindableSource, encoding: TextEncoding? = nil) throws(File.Failure) {
    self.file = file
    self.encoding = encoding
    isKnownText = false
    source = file
    try rewind()
  }

  /// - Parameter lines: Lines of text, whose form is known.
  init(lines: MemorySource, encoding: TextEncoding?) {
    file = lines
    self.encoding = encoding ?? .utf8
    isKnownText = true
    source = lines
  }

  /// - Parameter part: A part of a file of UTF-8.
  private init(part: FileSource) {
    file = part
    encoding = .utf8
    isKnownText = false
    source = part
  }

  /// Returns the second half of what is left, from the start of a line on; until it is rewound, this input ends there.
  /// Returns nil, and changes nothing, if what is read is not the file as it is, or little is left.
  func secondHalf() -> ImportInput? {
    guard source === file, let file = file as? FileSource else { return nil }
    return file.secondHalf().map(ImportInput.init(part:))
  }

  /// The part of the file that has been read, from 0 to 1.
  var progress: Double { file.size > 0 ? min(1, Double(file.position) / Double(file.size)) : 1 }

  /// The size of a buffer for it: as much as is read at once, of most files.
  var windowSize: Int { isKnownText ? min(1 << 18, file.size + 1) : 1 << 18 }

  func rewind() throws(File.Failure) {
    if isKnownText {
      try file.rewind()
      source = encoding == .utf8 ? file : DecodingSource(file, encoding ?? .utf8)
      return
    }
    source = try layers()
    let head = try head()
    if let form = ForeignForm.of(head) { throw File.Failure(reason: form.reason) }
    source = try layers()
    let mark = TextEncoding.marked(by: head)
    let encoding = self.encoding ?? mark?.encoding ?? TextEncoding.detected(in: head) ?? .utf8
    var actual = encoding
    if let mark, encoding.allows(markOf: mark.encoding) {
      _ = try read(exactly: mark.length)
      actual = mark.encoding
    }
    if actual != .utf8 { source = DecodingSource(source, actual) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    try source.read(into: buffer)
  }

  /// The file's bytes from the start, decompressed.
  private func layers() throws(File.Failure) -> any ByteSource {
    try file.rewind()
    if isKnownText { return file }
    source = file
    let isCompressed = try head().starts(with: [0x1F, 0x8B])
    try file.rewind()
    return isCompressed ? try GzipSource(file) : file
  }

  private func head() throws(File.Failure) -> [UInt8] { try read(exactly: ForeignForm.headSize) }

  /// Whether the file, decompressed, has a byte of these. It must be rewound after it.
  func hasByte(in range: ClosedRange<UInt8>) -> Bool {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { chunk.deallocate() }
    do throws(File.Failure) {
      source = try layers()
      while true {
        let count = try source.read(into: chunk)
        if count == 0 { return false }
        if chunk[..<count].contains(where: range.contains) { return true }
      }
    } catch { return false }
  }

  /// Fewer bytes at the end.
  private func read(exactly count: Int) throws(File.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: count - bytes.count, alignment: 1)
      defer { buffer.deallocate() }
      let read = try source.read(into: buffer)
      if read == 0 { break }
      bytes += buffer[..<read]
    }
    return bytes
  }
}
