import Glibc

/// A program with its standard input and output on pipes.
struct ChildProcess: ~Copyable {
  struct Outcome {
    let output: String
    /// The exit status, or -1 if a signal ended it.
    let status: Int32
  }

  private let process: pid_t
  private let feed: Int32
  private let drain: Int32

  init(_ program: String, _ arguments: [String]) throws {
    signal(SIGPIPE, SIG_IGN)
    let (inputEnd, feed) = try Self.pipe()
    let (drain, outputEnd) = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputEnd, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
    var process: pid_t = 0
    let environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]
    let failure = Self.withStrings([program] + arguments) { arguments in
      Self.withStrings(environment) { variables in
        posix_spawn(&process, program, &actions, nil, arguments, variables)
      }
    }
    close(inputEnd)
    close(outputEnd)
    guard failure == 0 else {
      close(feed)
      close(drain)
      throw WrongWork(description: "\(program) cannot be started")
    }
    self.process = process
    self.feed = feed
    self.drain = drain
  }

  /// Reads the next line of output.
  func awaitLine() throws {
    var byte: UInt8 = 0
    while byte != UInt8(ascii: "\n") {
      try require(read(drain, &byte, 1) == 1, "the program has ended")
    }
  }

  /// Writes the whole input and then reads the output to its end, so the program must not write more than a
  /// pipe's capacity before it has read everything.
  consuming func finish(_ input: [UInt8] = []) -> Outcome {
    write(input)
    close(feed)
    let output = readAll()
    close(drain)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let isExit = status & 0x7F == 0
    return Outcome(output: output, status: isExit ? status >> 8 & 0xFF : -1)
  }

  /// Returns the peak resident memory, in bytes, up to the program's first line of output. The figure of
  /// `wait4` would include this process's memory at the start of the program.
  func peakMemory(after input: [UInt8]) throws -> Double {
    write(input)
    var byte: UInt8 = 0
    while read(drain, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
    let peak = Machine.field("VmHWM", of: "/proc/\(process)/status") ?? ""
    let digits = peak.drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let kilobytes = Double(digits) else {
      throw WrongWork(description: "the program's memory cannot be read")
    }
    return kilobytes * 1024
  }

  /// Makes a pipe whose ends other programs do not inherit.
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try require(Glibc.pipe(&ends) == 0, "no pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(feed, part.baseAddress, part.count)
        // The program ended before it had read everything; its status shows that.
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func readAll() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(drain, &buffer, buffer.count)
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }

  private static func withStrings<R>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
