import Herald
import HeraldShell

/// A script read from a pipe and returned in pieces of whole statements as soon as they arrive, so that a
/// program at the other end can write, read the output, and continue.
///
/// It scans every byte once, however long a statement is.
struct ScriptStream {
  private var input: InputBytes
  private let name: String
  private var scanner = BracketScanner()
  private var scanned = 0
  /// The end of the bytes after `scanned` that are known to contain no newline.
  private var searched = 0
  private var line = 1
  /// Keeps what a long block adds in a file.
  private var spool = BlockSpool()

  init(descriptor: Int32, named name: String) {
    input = InputBytes(descriptor: descriptor)
    self.name = name
  }

  /// Returns the statements that have arrived; nil at the end. Calls `whenIdle` if none arrive soon.
  mutating func next(whenIdle: () -> Void = {}) throws(SystemFailure) -> Source? {
    while true {
      let end = scan()
      if end > 0 { return take(end) }
      if spool.isActive || input.bytes.count > BlockSpool.threshold {
        let count = input.withBytes { spool.move(from: &$0, to: scanned) }
        scanned -= count
        searched -= count
      }
      if try input.readMore(whenIdle: whenIdle) { continue }
      return input.bytes.isEmpty ? nil : take(input.bytes.count)
    }
  }

  /// Returns the end of the last whole statement in the buffer; 0 if there is none.
  private mutating func scan() -> Int {
    var end = 0
    let bytes = input.bytes
    while let newline = input.newline(from: searched) {
      scanner.feed(bytes, from: scanned, to: newline + 1)
      scanned = newline + 1
      searched = scanned
      if scanner.isBalanced { end = scanned }
    }
    searched = bytes.count
    return end
  }

  private mutating func take(_ count: Int) -> Source {
    let bytes = input.take(count)
    let source = Source(name: name, bytes: bytes, firstLine: line, without: spool)
    line += InputBytes.newlines(in: bytes) + spool.lineCount
    spool = BlockSpool()
    scanned = max(0, scanned - count)
    searched = max(0, searched - count)
    return source
  }
}
