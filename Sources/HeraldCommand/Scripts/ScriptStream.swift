import HeraldShell

/// A script that comes through a pipe: handed out in pieces that hold whole statements, as soon as
/// they are there, so that a program at the other end can write, read the answer, and go on.
///
/// Every byte is looked at once, however long a statement is.
struct ScriptStream {
  private var input: InputBytes
  private let name: String
  private var scanner = BracketScanner()
  private var scanned = 0
  /// No newline stands between what was scanned and here.
  private var searched = 0
  private var line = 1

  init(descriptor: Int32, named name: String) {
    input = InputBytes(descriptor: descriptor)
    self.name = name
  }

  /// The statements that have come in since; nil when there are no more. Calls `whenIdle` where they do
  /// not come at once.
  mutating func next(whenIdle: () -> Void = {}) throws(SystemFailure) -> Source? {
    while true {
      let end = scan()
      if end > 0 { return take(end) }
      if try input.readMore(whenIdle: whenIdle) { continue }
      return input.bytes.isEmpty ? nil : take(input.bytes.count)
    }
  }

  /// Where the last whole statement among the bytes at hand ends; 0 when there is none.
  private mutating func scan() -> Int {
    var end = 0
    let bytes = input.bytes
    while let newline = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      scanner.feed(Array(bytes[scanned...newline]))
      scanned = newline + 1
      searched = scanned
      if scanner.isBalanced { end = scanned }
    }
    searched = bytes.count
    return end
  }

  private mutating func take(_ count: Int) -> Source {
    let bytes = Array(input.bytes[..<count])
    let source = Source(name: name, bytes: bytes, firstLine: line)
    line += bytes.count { $0 == UInt8(ascii: "\n") }
    input.removeFirst(count)
    scanned = max(0, scanned - count)
    searched = max(0, searched - count)
    return source
  }
}
