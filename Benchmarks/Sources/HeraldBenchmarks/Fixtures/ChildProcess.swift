import Glibc

/// A program that is run to its end, with its standard input and output on pipes.
enum ChildProcess {
  struct Outcome {
    let output: String
    /// The exit status, or -1 where a signal ended it.
    let status: Int32
    /// The most that was resident, in bytes.
    let peakMemory: Int
  }

  /// The input is written as a whole before the output is read, so the program must not answer
  /// more than a pipe holds before it has read everything.
  static func run(
    _ program: String, _ arguments: [String], input: [UInt8]
  ) throws -> Outcome {
    signal(SIGPIPE, SIG_IGN)
    let (inputEnd, feed) = try pipe()
    let (drain, outputEnd) = try pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputEnd, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
    var process: pid_t = 0
    let failure = withStrings([program] + arguments) { arguments in
      withStrings(["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]) { variables in
        posix_spawn(&process, program, &actions, nil, arguments, variables)
      }
    }
    close(inputEnd)
    close(outputEnd)
    defer { close(drain) }
    guard failure == 0 else {
      close(feed)
      throw WrongWork(description: "\(program) cannot be started")
    }
    write(input, to: feed)
    close(feed)
    let output = readAll(drain)
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    let isExit = status & 0x7F == 0
    return Outcome(
      output: output, status: isExit ? status >> 8 & 0xFF : -1,
      peakMemory: usage.ru_maxrss * 1024)
  }

  /// Both ends close when another program is started.
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try require(Glibc.pipe(&ends) == 0, "no pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func write(_ bytes: [UInt8], to file: Int32) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(file, part.baseAddress, part.count)
        // The program ended before it had read everything; its status tells.
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  private static func readAll(_ file: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
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
