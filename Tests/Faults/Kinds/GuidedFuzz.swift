import CFuzzer
import Glibc
import TestSupport

/// libFuzzer's run over one reader: it keeps the inputs that reach new code and mutates those. It ends this
/// process at a signal, a hang or too much memory, and keeps the input.
enum GuidedFuzz {
  /// The worker for the C function that libFuzzer calls, which takes no context.
  private nonisolated(unsafe) static var worker: FuzzWorker?

  enum Failure: Error, CustomStringConvertible {
    case isNotLinked

    var description: String {
      "libFuzzer is not linked; start it with Tests/Faults/run, which builds with '-sanitize=fuzzer'"
    }
  }

  /// Runs `count` inputs; returns libFuzzer's status.
  static func run(_ reader: FuzzReader, _ count: Int, _ bench: Bench) throws -> Int32 {
    let folder = "\(bench.folder)/\(reader)"
    let seeds = "\(folder)-seeds"
    let found = "/tmp/herald-faults/fuzz-\(reader)-\(bench.seed)"
    let dictionary = "\(folder).dict"
    FileTree.makeFolders(seeds)
    FileTree.makeFolders(found)
    let corpus = Corpus(reader)
    for (number, seed) in corpus.seeds.enumerated() {
      FileTree.write(seed, to: "\(seeds)/\(number)")
    }
    FileTree.write(corpus.words.map(Self.entry).joined(), to: dictionary)
    worker = try FuzzWorker(reader, bench.seed, "\(folder).note", in: bench.folder)
    let arguments = [
      "herald", "-runs=\(count)", "-seed=\(UInt32(truncatingIfNeeded: bench.seed))",
      "-timeout=\(Herald.patience / 1000)", "-rss_limit_mb=4096", "-max_len=4096", "-verbosity=1",
      // The entropic schedule takes longer than the inputs themselves.
      "-entropic=0",
      "-print_final_stats=1", "-dict=\(dictionary)", "-artifact_prefix=\(found)/", seeds,
    ]
    var pointers = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    let status = pointers.withUnsafeMutableBufferPointer { pointers in
      herald_fuzz(Int32(pointers.count), pointers.baseAddress) { bytes, count in
        GuidedFuzz.worker?.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      }
    }
    worker = nil
    if status == -1 { throw Failure.isNotLinked }
    return status
  }

  /// Returns a line of libFuzzer's dictionary.
  private static func entry(_ word: [UInt8]) -> String {
    let digits = word.map { byte in
      let text = String(byte, radix: 16)
      return "\\x" + (text.count == 1 ? "0" : "") + text
    }
    return "\"\(digits.joined())\"\n"
  }
}
