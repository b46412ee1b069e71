import ArgumentParser
import Glibc
import TestSupport

/// Where one kind of fault is tried: its folder, its seed, and what was found.
final class Bench {
  let kind: String
  let seed: UInt64
  /// Emptied at the end, with what was not kept.
  let folder: String
  /// Where files of violations are kept.
  private let shelf: String
  private(set) var violations = 0
  private var counts: [(name: String, number: Int)] = []
  private let limit: Int
  /// Whether a fault builds upon those before it, so that it is not repeated alone.
  private let isSequence: Bool

  init(_ kind: String, _ options: FaultOptions, isSequence: Bool = false) throws {
    self.kind = kind
    self.isSequence = isSequence
    seed = options.seed
    limit = options.limit
    let word = kind.replacing(" ", with: "-")
    let parent = options.folder ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    folder = "\(parent)/herald-\(word)-\(getpid())"
    shelf = "/tmp/herald-faults/\(word)-\(options.seed)"
    guard mkdir(folder, 0o700) == 0 else {
      throw ValidationError("cannot make the folder \(folder)")
    }
    print("\(kind): seed \(seed), program \(Herald.path)")
  }

  /// The random choices of one case, which depend on the seed and its number alone.
  func random(_ number: Int) -> SplitMix64 {
    var mixed = SplitMix64(seed: seed)
    return SplitMix64(seed: mixed.next() &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
  }

  func count(_ name: String, _ number: Int = 1) {
    if let place = counts.firstIndex(where: { $0.name == name }) {
      counts[place].number += number
    } else {
      counts.append((name, number))
    }
  }

  /// Notes what must not be, and keeps the files that show it.
  func violation(_ number: Int, _ words: String, keeping files: [String] = []) {
    violations += 1
    var kept = ""
    if !files.isEmpty {
      let place = "\(shelf)/\(number)"
      FileTree.makeFolders(place)
      for file in files {
        FileTree.copy(file, to: place + "/" + FileTree.name(of: file), isSparse: true)
      }
      kept = "\n  kept in \(place)"
    }
    let again = isSequence ? "\(number + 1) --seed \(seed)" : "--seed \(seed) --only \(number)"
    print("\(kind) \(number): \(words)\n  repeat with: Tests/Faults/run \(kind) \(again)\(kept)")
    fflush(nil)
  }

  /// Whether there is no point in going on.
  var isOver: Bool { violations >= limit }

  func progress(_ number: Int, every step: Int = 1000) {
    guard number > 0, number % step == 0 else { return }
    print("\(kind): \(number) done, \(violations) violations")
    fflush(nil)
  }

  /// Prints what was counted; ends the program with status 1 where something was violated.
  func finish() throws {
    FileTree.remove(folder)
    let told = counts.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
    print("\(kind): \(told.isEmpty ? "nothing to count" : told); violations \(violations)")
    fflush(nil)
    if violations > 0 { throw ExitCode(1) }
  }
}
