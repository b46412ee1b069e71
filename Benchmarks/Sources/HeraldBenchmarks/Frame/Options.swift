/// The options of the command line.
struct Options {
  static let usage = """
    usage: Benchmarks/run [--quick] [--filter TEXT] [--size NUMBER] [--up-to NUMBER] [--list]
                          [--picture FILE] [--table FILE]
           Benchmarks/run --peers [--quick] [--filter TEXT] [--size NUMBER]
                          [--picture FILE] [--table FILE]
      --quick        no size above 100,000, and fewer samples
      --filter TEXT  only the benchmarks with TEXT in their name
      --size NUMBER  only that size, if a benchmark has it: for a profile
      --up-to NUMBER measure growth and notify also at ten times their last size, up to this one
      --picture FILE draw the growth of every kind of view (with --filter growth), or the ratios, as SVG
      --table FILE   write the same as a table of Markdown
      --list         print the names and measure nothing
      --peers        measure SQLite, GRDB and duckdb beside Herald at the same work
    HERALD=PROGRAM   the shell to measure (default: this tree's release build)
    """

  /// The largest size of a quick run.
  static let quickLimit = 100_000

  var isQuick = false
  var isListing = false
  var filter = ""
  var comparesPeers = false
  var size: Int?
  /// The largest size of what can grow.
  var limit: Int?
  var picture: String?
  var table: String?

  /// Parses arguments; nil if they are invalid or request help.
  init?(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--quick": isQuick = true
      case "--list": isListing = true
      case "--peers": comparesPeers = true
      case "--filter":
        guard let text = words.popFirst() else { return nil }
        filter = text
      case "--picture":
        guard let path = words.popFirst() else { return nil }
        picture = path
      case "--table":
        guard let path = words.popFirst() else { return nil }
        table = path
      case "--size":
        guard let number = words.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        size = number
      case "--up-to":
        guard let number = words.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        limit = number
      default: return nil
      }
    }
    if comparesPeers && (isListing || limit != nil) { return nil }
  }

  func sizes(of benchmark: Benchmark) -> [Int] {
    let last = benchmark.sizes[benchmark.sizes.count - 1]
    if let size {
      return benchmark.sizes.contains(size) || benchmark.canGrow && size > last ? [size] : []
    }
    if let limit, benchmark.canGrow {
      var sizes = benchmark.sizes
      while let next = sizes.last.map({ $0 * 10 }), next <= limit { sizes.append(next) }
      return sizes
    }
    let small = benchmark.sizes.filter { $0 <= Self.quickLimit }
    if !isQuick { return benchmark.sizes }
    return small.isEmpty ? [Self.quickLimit] : small
  }
}
