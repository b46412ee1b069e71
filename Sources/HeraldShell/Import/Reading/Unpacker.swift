import Glibc

/// A program that unpacks a form of compressed files that this one does not read.
struct Unpacker {
  private let mark: [UInt8]
  private let form: String
  private let program: String
  /// How the names of such files end.
  let suffix: String

  private static let all = [
    Unpacker(
      mark: [0x28, 0xB5, 0x2F, 0xFD], form: "zstandard", program: "zstd", suffix: ".zst"),
    Unpacker(
      mark: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], form: "xz", program: "xz", suffix: ".xz"),
  ]

  /// The unpacker of the open file, by its first bytes; nil if it is of another form.
  static func of(_ descriptor: Int32) -> Unpacker? {
    let head = [UInt8](unsafeUninitializedCapacity: 6) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return all.first { head.starts(with: $0.mark) }
  }

  /// The name of a file without the ending that says how it is compressed.
  static func unpackedName(_ path: String) -> String {
    let name = path.lowercased()
    let suffix = ([".gz"] + all.map(\.suffix)).first { name.hasSuffix($0) }
    return String(path.dropLast(suffix?.count ?? 0))
  }

  /// Returns the descriptor of a new file without a name that has the content; nil if the program is not installed. Throws
  /// if the file is damaged, and once `isWanted` returns false.
  func unpacked(_ descriptor: Int32, isWanted: () -> Bool) throws(File.Failure) -> Int32? {
    let copy = try FileSource.temporaryFile()
    guard let process = start(from: descriptor, to: copy) else {
      close(copy)
      return nil
    }
    var status = process.ended
    while status == nil {
      if !isWanted() {
        process.stop()
        close(copy)
        throw File.Failure(reason: "interrupted")
      }
      usleep(1000)
      status = process.ended
    }
    guard status == 0 else {
      close(copy)
      throw File.Failure(
        reason:
          "it is compressed by \(form), and '\(program)' cannot unpack it: it is damaged, or the disk "
          + "is full")
    }
    return copy
  }

  private func start(from descriptor: Int32, to copy: Int32) -> OtherProgram? {
    lseek(descriptor, 0, SEEK_SET)
    return try? OtherProgram([program, "-dcq"]) { actions in
      posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, copy, STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
  }
}
