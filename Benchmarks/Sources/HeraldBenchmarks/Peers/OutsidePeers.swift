import Glibc

/// The figures of the peers that are programs of their own. They print a line for each work: the peer, the work,
/// seconds, and the result, with tabs between.
struct OutsidePeers {
  private(set) var figures: [Peer: [String: PeerFigure]] = [:]
  /// The versions, and what could not be measured.
  private(set) var notes: [String] = []

  /// GRDB's program lies beside this one.
  mutating func measureGRDB(_ data: PeerData, _ effort: Effort) throws {
    let names = [PeerWork.sortedName, PeerWork.filteredName, PeerWork.objectName]
    let process = try ChildProcess(
      try Self.neighbour("GRDBPeer"), [data.dogsFile, "\(effort.budget)"] + names)
    try take(process.finish(), "GRDB")
  }

  /// The variable HERALD_DUCKDB names a Python that has duckdb; without it, there are no figures.
  mutating func measureDuckDB(_ works: [PeerWork], _ data: PeerData, _ effort: Effort) throws {
    guard let variable = getenv("HERALD_DUCKDB"), variable.pointee != 0,
      let script = getenv("HERALD_DUCKDB_SCRIPT")
    else {
      notes.append("duckdb: not measured")
      return
    }
    let process = try ChildProcess(
      String(cString: variable),
      [
        String(cString: script), data.peopleFile, data.importedFile, "\(effort.budget)",
        PeerWork.importName, Peer.duckdb.rawValue, Peer.duckdbOnAllCores.rawValue,
      ])
    let statements = works.compactMap { work in work.statement.map { "\(work.name)\t\($0)\n" } }
    try take(process.finish(Array(statements.joined().utf8)), "duckdb")
  }

  private mutating func take(_ outcome: ChildProcess.Outcome, _ name: String) throws {
    try require(outcome.status == 0, "\(name)'s program failed")
    for line in outcome.output.split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      if fields.count == 1 {
        notes.append(fields[0])
      } else if fields.count == 4, let peer = Peer(rawValue: fields[0]),
        let time = Double(fields[2]), let result = Int(fields[3])
      {
        figures[peer, default: [:]][fields[1]] = PeerFigure(time: time, result: result)
      } else {
        throw WrongWork(description: "\(name)'s program printed '\(line)'")
      }
    }
  }

  /// Returns the path of another program in the folder of this one.
  private static func neighbour(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    try require(count > 0, "the program's own path is unknown")
    let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + name
  }
}
