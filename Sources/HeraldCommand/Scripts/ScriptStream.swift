/// A script that comes through a pipe: handed out in pieces that hold whole statements, as soon as
/// they are there, so that a program at the other end can write, read the answer, and go on.
struct ScriptStream {
  struct Piece {
    let text: String
    let firstLine: Int
  }

  private var input: InputBytes
  private let name: String
  private var scanner = BracketScanner()
  private var scanned = 0
  private var line = 1

  init(descriptor: Int32, named name: String) {
    input = InputBytes(descriptor: descriptor)
    self.name = name
  }

  /// The statements that have come in since; nil when there are no more.
  mutating func next() throws(ScriptProblem) -> Piece? {
    while true {
      let end = scan()
      if end > 0 { return try take(end) }
      do {
        if try input.readMore() { continue }
      } catch {
        throw ScriptProblem(
          message: "cannot read \(name): \(error.reason)", name: name, status: .cannotOpen)
      }
      return input.bytes.isEmpty ? nil : try take(input.bytes.count)
    }
  }

  /// Where the last whole statement among the bytes at hand ends; 0 when there is none.
  private mutating func scan() -> Int {
    var end = 0
    input.bytes.withUnsafeBufferPointer { bytes in
      for index in scanned..<bytes.count {
        scanner.take(bytes[index])
        if scanner.isAtBoundary { end = index + 1 }
      }
    }
    scanned = input.bytes.count
    return end
  }

  private mutating func take(_ count: Int) throws(ScriptProblem) -> Piece {
    let firstLine = line
    let text = try ScriptText.decode(input.bytes[..<count], named: name, firstLine: firstLine)
    line += input.bytes[..<count].count { $0 == UInt8(ascii: "\n") }
    input.removeFirst(count)
    scanned -= count
    return Piece(text: text, firstLine: firstLine)
  }
}
