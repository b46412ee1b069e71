/// The figures of the works, each with its ratio to Herald's.
struct PeerTable {
  private struct Row {
    let name: String
    let times: [Peer: Double]

    /// How many times Herald's time a peer takes.
    func ratio(_ peer: Peer) -> Double? {
      guard let time = times[peer], let own = times[.herald] else { return nil }
      return time / own
    }
  }

  private var rows: [Row] = []
  private var description = ""

  mutating func begin(_ size: Int, _ importedCount: Int, _ notes: [String]) {
    description =
      "\(Figures.grouped(size)) rows, \(Figures.grouped(importedCount)) in the file; "
      + "minima of repeated runs, and each as a multiple of Herald's; "
      + notes.joined(separator: ", ")
    print(Machine.description + "\n" + description + "\n")
    print(Self.line("work", Peer.allCases.map(\.rawValue)))
  }

  mutating func add(_ name: String, _ times: [Peer: Double]) {
    let row = Row(name: name, times: times)
    rows.append(row)
    print(Self.line(name, Self.cells(row)))
  }

  func end() {
    let ahead = rows.filter { row in Peer.allCases.allSatisfy { row.ratio($0) ?? 1 >= 1 } }
    print("\nHerald is first in \(ahead.count) of \(rows.count).")
    for row in rows {
      for peer in Peer.allCases {
        guard let ratio = row.ratio(peer), ratio < 1 else { continue }
        print("Behind \(peer.rawValue): \(row.name), \(Figures.ratio(1 / ratio))")
      }
    }
  }

  /// The table in Markdown, with the machine below it.
  var markdown: String {
    var table = MarkdownTable(["work"] + Peer.allCases.map(\.rawValue))
    for row in rows { table.add([row.name] + Self.cells(row)) }
    return table.text + "\n" + description + "; " + Machine.description + ".\n"
  }

  /// The ratios as points on a logarithmic axis.
  var picture: RatioPicture {
    RatioPicture(
      title: "Time of the same work as a multiple of Herald's: right of the line, Herald is ahead",
      series: Peer.allCases.filter { $0 != .herald }.map(\.rawValue),
      rows: rows.map { row in
        RatioPicture.Row(
          name: row.name,
          ratios: Peer.allCases.filter { $0 != .herald }.map { row.ratio($0) })
      })
  }

  private static func cells(_ row: Row) -> [String] {
    Peer.allCases.map { peer in
      guard let time = row.times[peer] else { return "" }
      guard peer != .herald, let ratio = row.ratio(peer) else { return Figures.time(time) }
      return "\(Figures.time(time)) (\(Figures.ratio(ratio)))"
    }
  }

  private static func line(_ name: String, _ cells: [String]) -> String {
    var text = name + String(repeating: " ", count: max(0, 48 - name.count))
    for (index, cell) in cells.enumerated() {
      text += String(repeating: " ", count: max(1, (index == 0 ? 10 : 21) - cell.count)) + cell
    }
    return text
  }
}
