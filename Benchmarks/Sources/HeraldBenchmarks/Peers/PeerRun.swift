import Glibc

/// One run of all works: by Herald, by the peers in this process, and by those of their own.
struct PeerRun {
  private let options: Options
  private(set) var table: PeerTable

  init(_ options: Options) {
    self.options = options
    table = PeerTable()
  }

  /// Measures everything and prints the table; throws if a peer has another result than Herald.
  mutating func run() throws {
    let size = options.size ?? (options.isQuick ? Options.quickLimit : 1_000_000)
    let effort = options.isQuick ? Effort.quick : .full
    let data = try PeerData(size)
    let works = try works(data)
    var outside = OutsidePeers()
    if works.contains(where: { $0.name.hasPrefix("notify") }) {
      try outside.measureGRDB(data, effort)
    }
    if works.contains(where: { $0.statement != nil || $0.name == PeerWork.importName }) {
      try outside.measureDuckDB(works, data, effort)
    }
    let disk = Figures.time(try HeraldBenchmarks.diskWrites(1, effort).min)
    table.begin(
      size, data.importedCount,
      ["SQLite \(SQLiteDatabase.version)"] + outside.notes + ["4 kB written and synced: \(disk)"])
    for work in works {
      var figures: [Peer: PeerFigure] = [:]
      for (peer, measure) in work.measures { figures[peer] = try measure(effort) }
      for (peer, others) in outside.figures { figures[peer] = others[work.name] }
      try Self.check(work, figures)
      table.add(work.name, figures.mapValues(\.time))
      fflush(nil)
    }
    table.end()
  }

  private func works(_ data: PeerData) throws -> [PeerWork] {
    var works = PeerWork.notifications(data) + PeerWork.queries(data) + PeerWork.writes(data)
    if let variable = getenv("HERALD"), variable.pointee != 0 {
      let program = String(cString: variable)
      works += [.importing(data, program)] + (try PeerWork.files(data, program))
    }
    let chosen = works.filter { options.filter.isEmpty || $0.name.contains(options.filter) }
    try require(!chosen.isEmpty, "no work has '\(options.filter)' in its name")
    return chosen
  }

  private static func check(_ work: PeerWork, _ figures: [Peer: PeerFigure]) throws {
    guard work.comparesResults, let expected = figures[.herald]?.result else { return }
    for (peer, figure) in figures where figure.result != expected {
      throw WrongWork(
        description: "\(work.name): \(peer.rawValue) has \(figure.result), Herald \(expected)")
    }
  }
}
