import ArgumentParser
import TestSupport

/// The library that intercepts the program's system calls; see `shim.c`.
struct Shim {
  private let library: String

  /// Compiles the library.
  init(_ bench: Bench) throws {
    library = "\(bench.folder)/shim.so"
    let source = String(#filePath.dropLast("Shim.swift".count)) + "shim.c"
    var compiler = ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl", "-lpthread"])
    compiler.environment = ["PATH": "/usr/bin:/bin"]
    guard try compiler.start().end() == 0 else {
      throw ValidationError("cc cannot compile \(source)")
    }
  }

  /// Makes the program append each call on files below a path to a trace.
  func recording(_ herald: Herald, _ path: String, to trace: String) -> Herald {
    var herald = herald
    herald.environment = recording(herald.environment, path, to: trace)
    return herald
  }

  /// The same in the environment of a program.
  func recording(
    _ environment: [String: String], _ path: String, to trace: String
  ) -> [String: String] {
    environment.merging(
      ["LD_PRELOAD": library, "FAULT_PATH": path, "FAULT_TRACE": trace]) { $1 }
  }

  /// Makes a call fail, and with `always` all after it; counts the calls.
  func failing(
    _ herald: Herald, _ path: String, call: Int, _ kind: Int32, always: Bool, counted: String
  ) -> Herald {
    var herald = herald
    herald.environment = failing(
      herald.environment, path, call: call, kind, always: always, counted: counted)
    return herald
  }

  /// The same in the environment of a program.
  func failing(
    _ environment: [String: String], _ path: String, call: Int, _ kind: Int32, always: Bool,
    counted: String
  ) -> [String: String] {
    var environment = environment
    environment["LD_PRELOAD"] = library
    environment["FAULT_PATH"] = path
    environment["FAULT_AT"] = "\(call)"
    environment["FAULT_KIND"] = "\(kind)"
    environment["FAULT_COUNTED"] = counted
    if always { environment["FAULT_ALWAYS"] = "1" }
    return environment
  }
}

/// One call of a trace.
enum TracedCall {
  case write(inode: UInt64, offset: Int, ArraySlice<UInt8>)
  /// A write that is durable from `durableEnd` on.
  case durableWrite(inode: UInt64, offset: Int, ArraySlice<UInt8>)
  case durableEnd(inode: UInt64, offset: Int, ArraySlice<UInt8>)
  case sync(inode: UInt64)
  case truncate(inode: UInt64, size: Int)
  case create(inode: UInt64, path: String)
  case rename(from: String, to: String, isExchange: Bool)
  case unlink(path: String)
  /// A file gets another name, or its first one.
  case link(inode: UInt64, path: String)
  case syncFolder
  case output(String)

  /// Whether it writes a record of the journal.
  var isOfJournal: Bool {
    guard case .write(_, _, let bytes) = self else { return false }
    return bytes.starts(with: "HJR1".utf8)
  }

  /// Returns all calls of a trace, in order.
  static func all(in trace: [UInt8]) -> [TracedCall] {
    var calls: [TracedCall] = []
    var offset = 0
    while offset + 32 <= trace.count {
      let words = trace.withUnsafeBytes { bytes in
        (0..<4).map { bytes.loadUnaligned(fromByteOffset: offset + $0 * 8, as: UInt64.self) }
      }
      let end = offset + 32 + Int(words[3])
      guard end <= trace.count else { break }
      if let call = TracedCall(words, trace[offset + 32..<end]) { calls.append(call) }
      offset = end
    }
    return calls
  }

  private init?(_ words: [UInt64], _ bytes: ArraySlice<UInt8>) {
    let offset = Int(words[2])
    let texts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    switch words[0] {
    case 1: self = .write(inode: words[1], offset: offset, bytes)
    case 2: self = .durableWrite(inode: words[1], offset: offset, bytes)
    case 3: self = .durableEnd(inode: words[1], offset: offset, bytes)
    case 4: self = .sync(inode: words[1])
    case 5: self = .truncate(inode: words[1], size: offset)
    case 6: self = .create(inode: words[1], path: texts.first ?? "")
    case 7 where texts.count == 2:
      // RENAME_EXCHANGE
      self = .rename(from: texts[0], to: texts[1], isExchange: words[1] & 2 != 0)
    case 8: self = .unlink(path: texts.first ?? "")
    case 9: self = .syncFolder
    case 11: self = .link(inode: words[1], path: texts.first ?? "")
    case 10: self = .output(String(decoding: bytes, as: UTF8.self))
    default: return nil
    }
  }
}
