import ArgumentParser
import Glibc
import TestSupport

/// The run of one kind of fault: its folder, its seed, and its results.
final class Bench {
  let kind: String
  let seed: UInt64
  /// The working folder, which is removed at the end.
  let folder: String
  /// The folder for files that show violations.
  private let keptFolder: String
  private(set) var violations = 0
  private var counts: [(name: String, number: Int)] = []
  private let limit: Int
  /// Whether a fault depends on those before it, so that it cannot be repeated alone.
  private let isSequence: Bool

  init(_ kind: String, _ options: FaultOptions, isSequence: Bool = false) throws {
    self.kind = kind
    self.isSequence = isSequence
    seed = options.seed
    limit = options.limit
    let word = kind.replacing(" ", with: "-")
    let parent = options.folder ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    folder = "\(parent)/herald-\(word)-\(getpid())"
    keptFolder = "/tmp/herald-faults/\(word)-\(options.seed)"
    guard mkdir(folder, 0o700) == 0 else {
      throw ValidationError("cannot make the folder \(folder)")
    }
    print("\(kind): seed \(seed), program \(Herald.path)")
  }

  /// Returns the generator of one case, which depends only on the seed and the case's number.
  func random(_ number: Int) -> SplitMix64 {
    var mixed = SplitMix64(seed: seed)
    return SplitMix64(seed: mixed.next() &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
  }

  func count(_ name: String, _ number: Int = 1) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].number += number
    } else {
      counts.append((name, number))
    }
  }

  /// Reports a violation, and keeps the files that show it.
  func violation(_ number: Int, _ message: String, keeping files: [String] = []) {
    violations += 1
    var kept = ""
    if !files.isEmpty {
      let folder = "\(keptFolder)/\(number)"
      FileTree.makeFolders(folder)
      for file in files {
        FileTree.copy(file, to: folder + "/" + FileTree.name(of: file), isSparse: true)
      }
      kept = "\n  kept in \(folder)"
    }
    let again = isSequence ? "\(number + 1) --seed \(seed)" : "--seed \(seed) --only \(number)"
    print("\(kind) \(number): \(message)\n  repeat with: Tests/Faults/run \(kind) \(again)\(kept)")
    fflush(nil)
  }

  /// Whether the limit of violations is reached.
  var isOver: Bool { violations >= limit }

  func progress(_ number: Int, every step: Int = 1000) {
    guard number > 0, number % step == 0 else { return }
    print("\(kind): \(number) done, \(violations) violations")
    fflush(nil)
  }

  /// Prints the counts; ends the program with status 1 after violations.
  func finish() throws {
    FileTree.remove(folder)
    let summary = counts.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
    print("\(kind): \(summary.isEmpty ? "nothing counted" : summary); violations \(violations)")
    fflush(nil)
    if violations > 0 { throw ExitCode(1) }
  }
}
