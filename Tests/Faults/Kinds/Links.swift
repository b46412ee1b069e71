import ArgumentParser
import Glibc
import TestSupport

/// Links, pipes, folders and devices planted where herald creates files: nothing outside is changed.
struct Links: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Planted links, FIFOs, folders and devices; the count is ignored.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("links", options)
    let trial = try LinkTrial(bench)
    let all = LinkTrial.Place.allCases.flatMap { place in
      LinkTrial.Plant.allCases.map { (place, $0) }
    }
    for (number, pair) in all.enumerated() where options.only == nil || options.only == number {
      try trial.run(number, pair.0, pair.1)
    }
    try bench.finish()
  }
}

/// One file planted at one path.
struct LinkTrial {
  enum Place: String, CaseIterable {
    case store, lock, newLock, exported, dumped, backedUp
  }

  enum Plant: String, CaseIterable {
    case linkToFile, linkToNothing, linkToFolder, linkToDevice, pipe, folder
  }

  private let bench: Bench
  private let knowsBackup: Bool
  private static let original = "nobody may change this\n"

  init(_ bench: Bench) throws {
    self.bench = bench
    knowsBackup = try Herald.knows("backup", bench)
  }

  func run(_ number: Int, _ place: Place, _ plant: Plant) throws {
    if place == .backedUp && !knowsBackup { return }
    bench.count("plants")
    let inside = "\(bench.folder)/inside"
    let outside = "\(bench.folder)/outside"
    for folder in [inside, outside] {
      FileTree.remove(folder)
      mkdir(folder, 0o700)
    }
    FileTree.write(Self.original, to: outside + "/file")
    chmod(outside + "/file", 0o640)
    let store = inside + "/x.hdb"
    if place != .store && place != .newLock {
      _ = try Herald(bench).run(store, ["class A { n: int }", "add A { n: 1 }"])
      unlink(store + "-lock")
    }
    let target = Self.target(place, inside)
    put(plant, at: target, outside)
    let outcome = try Herald(bench).run(store, Self.commands(place, target))
    let prefix = "\(plant) in place of \(place): "
    if outcome.isHung || outcome.isSignalled {
      bench.violation(number, prefix + outcome.summary)
    }
    if outcome.status == 0 && outcome.errors.isEmpty { bench.count("succeeded") }
    if let harm = harm(outside) { bench.violation(number, prefix + harm + "; " + outcome.summary) }
    var status = stat()
    if plant != .folder && lstat(target, &status) == 0 && status.st_mode & S_IFMT == S_IFREG {
      bench.count("replaced by a file")
    }
  }

  private static func target(_ place: Place, _ inside: String) -> String {
    switch place {
    case .store: inside + "/x.hdb"
    case .lock, .newLock: inside + "/x.hdb-lock"
    case .exported: inside + "/out.csv"
    case .dumped: inside + "/out.herald"
    case .backedUp: inside + "/out.hdb"
    }
  }

  private static func commands(_ place: Place, _ target: String) -> [String] {
    switch place {
    case .store, .newLock, .lock: ["class A { n: int }", "add A { n: 2 }", "count A"]
    case .exported: ["export A to \"\(target)\""]
    case .dumped: ["dump to \"\(target)\""]
    case .backedUp: ["backup to \"\(target)\""]
    }
  }

  private func put(_ plant: Plant, at target: String, _ outside: String) {
    switch plant {
    case .linkToFile: symlink(outside + "/file", target)
    case .linkToNothing: symlink(outside + "/nothing", target)
    case .linkToFolder: symlink(outside, target)
    case .linkToDevice: symlink("/dev/full", target)
    case .pipe: mkfifo(target, 0o600)
    case .folder: mkdir(target, 0o700)
    }
  }

  /// Describes a change outside of the folder; nil if there is none.
  private func harm(_ outside: String) -> String? {
    let names = FileTree.names(in: outside).sorted()
    if names != ["file"] { return "outside there is now \(names)" }
    if FileTree.text(outside + "/file") != Self.original { return "the file outside was written" }
    var status = stat()
    stat(outside + "/file", &status)
    return status.st_mode & 0o777 == 0o640 ? nil : "the mode of the file outside was changed"
  }
}
