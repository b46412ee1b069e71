import Glibc

/// Measures the library through its public API, and the shell as a program.
@main
enum HeraldBenchmarks {
  private static func benchmarks() -> [Benchmark] {
    [
      inserting, transactions, reading, scanning, sorting, notifying, initialDelivery, deepChanges,
      tokens, filters, sections, tracking, lists, writers, otherProcesses, growth, history, typed,
      shell,
    ]
    .flatMap { $0() }
  }

  static func main() {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == observing {
      observe(CommandLine.arguments[2])
    }
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      complain(Options.usage)
      exit(2)
    }
    if options.comparesPeers {
      if !comparePeers(options) { exit(1) }
      return
    }
    let chosen = benchmarks().filter { options.filter.isEmpty || $0.name.contains(options.filter) }
    if options.isListing {
      for benchmark in chosen { print(benchmark.name) }
      return
    }
    if !run(chosen, options) { exit(1) }
  }

  /// Runs benchmarks; returns false if one could not be measured.
  private static func run(_ benchmarks: [Benchmark], _ options: Options) -> Bool {
    var report = Report()
    var isSound = true
    print(Machine.description + "\n")
    report.begin()
    for benchmark in benchmarks {
      for size in options.sizes(of: benchmark) {
        do {
          let effort = options.isQuick ? Effort.quick : .full
          report.add(benchmark, size: size, try benchmark.measure(size, effort))
          fflush(nil)
        } catch {
          complain("\(benchmark.name), \(Figures.grouped(size)): \(error)")
          isSound = false
        }
      }
    }
    report.end()
    let picture = report.picture(
      of: "growth: ", "One object changed: from write to the observer's block having returned")
    return write(options, picture.text, report.table(of: "growth: ")) && isSound
  }

  /// Measures Herald and its peers; returns false if one could not be measured.
  private static func comparePeers(_ options: Options) -> Bool {
    var run = PeerRun(options)
    do {
      try run.run()
    } catch {
      complain("\(error)")
      return false
    }
    return write(options, run.table.picture.text, run.table.markdown)
  }

  /// Writes the files that the options name.
  private static func write(_ options: Options, _ picture: String, _ table: String) -> Bool {
    var isWritten = true
    for (path, text) in [(options.picture, picture), (options.table, table)] {
      guard let path, !SVG.write(text, to: path) else { continue }
      complain("\(path) cannot be written")
      isWritten = false
    }
    return isWritten
  }

  private static func complain(_ message: String) {
    let line = message + "\n"
    _ = line.utf8.withContiguousStorageIfAvailable { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
