import Glibc
import Herald

/// The lines of an input as they come.
final class LineSource {
  /// The bytes that are read at once, before they are committed.
  private static let most = 1 << 20

  private let input: any LiveInput
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 16)
  /// What has come of a line whose end has not.
  private var rest: [UInt8] = []
  /// Whether a line is being dropped, which is too long.
  private var isDropping = false
  /// How many lines were dropped since `takeLines` was called.
  private(set) var droppedCount = 0
  private(set) var isAtEnd = false
  private var hasBegun = false
  /// Whether the input has begun again, and no line has come since.
  private var isRestarted = false
  /// Whether the lines that `takeLines` returned last are the first of an input that has begun again, such as of a file that
  /// was replaced.
  private(set) var beginsAnew = false

  init(_ input: any LiveInput) { self.input = input }

  deinit { chunk.deallocate() }

  /// Opens the pipe or the file at a path; `-` is standard input.
  convenience init(path: String) throws(File.Failure) {
    try File.refuse(storeAt: path)
    // A pipe of the file system is opened whether anybody writes to it yet.
    let descriptor =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw File.Failure(reason: String(cString: strerror(errno))) }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.init(
      isFile && path != "-" ? try GrowingFile(descriptor, at: path) : PipeInput(descriptor))
  }

  var descriptor: Int32 { input.descriptor }
  var patience: Duration? { input.patience }

  /// Reads what has come, without waiting, and returns its whole lines, each with its end; at the end of the input the last
  /// line, too.
  func takeLines() throws(File.Failure) -> [UInt8] {
    let (lines, isRestarting) = try takeSome()
    beginsAnew = isRestarted && !lines.isEmpty
    if beginsAnew { isRestarted = false }
    if isRestarting { (isRestarted, hasBegun) = (true, false) }
    return lines
  }

  /// Returns lines, and whether the input begins again behind them.
  private func takeSome() throws(File.Failure) -> (lines: [UInt8], isRestarting: Bool) {
    var lines: [UInt8] = []
    var count = 0
    droppedCount = 0
    while count < Self.most, !isAtEnd {
      switch try input.read(into: chunk) {
      case .bytes(let some):
        let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<some])
        append(UnsafeRawBufferPointer(rebasing: bytes[markLength(of: bytes)...]), to: &lines)
        count += some
      case .nothing: return (lines, false)
      case .restart:
        endLine(&lines)
        return (lines, true)
      case .end:
        endLine(&lines)
        isAtEnd = true
      }
    }
    return (lines, false)
  }

  /// The length of the byte order mark with which the input begins.
  private func markLength(of bytes: UnsafeRawBufferPointer) -> Int {
    defer { hasBegun = true }
    guard !hasBegun, let mark = TextEncoding.marked(by: Array(bytes.prefix(4))) else { return 0 }
    return mark.encoding == .utf8 ? mark.length : 0
  }

  private func append(_ bytes: UnsafeRawBufferPointer, to lines: inout [UInt8]) {
    guard let last = bytes.lastIndex(of: Byte.newline) else { return keep(bytes[...]) }
    var whole = bytes[...last]
    if isDropping, let end = whole.firstIndex(of: Byte.newline) {
      whole = whole[(end + 1)...]
      isDropping = false
    }
    lines += rest
    rest.removeAll(keepingCapacity: true)
    lines.append(contentsOf: whole)
    keep(bytes[(last + 1)...])
  }

  private func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if isDropping { return }
    rest.append(contentsOf: bytes)
    guard rest.count > LogReader.longestLine else { return }
    rest = []
    isDropping = true
    droppedCount += 1
  }

  private func endLine(_ lines: inout [UInt8]) {
    isDropping = false
    if rest.isEmpty { return }
    lines += rest
    lines.append(Byte.newline)
    rest = []
  }
}
