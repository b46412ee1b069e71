import Herald
import Testing

@testable import HeraldShell

/// Rows as an array, and a table that knows them by its reader alone.
private struct TableRows {
  var rows: [String]
  var table: WatchTable
  var now = Duration.zero
  var picture = WatchPicture([WatchPicture.Column(name: "name")], hasLabels: true)

  /// Each row is named by its first letter, and is the rest of it.
  init(_ rows: [String], height: Int) throws {
    self.rows = rows
    table = WatchTable(height: height)
    try table.begin(count: rows.count, TableRows.reader(rows))
  }

  static func reader(_ rows: [String]) -> WatchTable.Reader {
    { range in rows[range].map { content($0) } }
  }

  static func content(_ row: String) -> WatchTable.Content {
    WatchTable.Content(
      label: String(row.prefix(1)), cells: [Table.Cell(text: String(row.dropFirst()))])
  }

  var reader: WatchTable.Reader { TableRows.reader(rows) }

  mutating func become(_ rows: [String], _ changes: ChangeSet) throws {
    self.rows = rows
    try table.apply(changes, at: now, reader)
  }

  /// The lines between heading and footer.
  var lines: [String] {
    var picture = self.picture
    let window = Window(columns: 40, rows: table.height + 2, isColored: false)
    let lines = picture.lines(table, WatchFooter(), in: window).dropFirst().dropLast()
    return lines.filter { !$0.isEmpty }
  }
}

@Suite struct WatchTableTests {
  @Test func `inserted, deleted and changed rows are marked for a moment`() throws {
    var kennel = try TableRows(["aAda", "bBen", "cCid"], height: 5)
    try kennel.become(
      ["nNew", "aAda", "cKid"],
      ChangeSet(deletions: [1], insertions: [0], modifications: [2], modificationsNew: [2]))
    #expect(kennel.lines == ["+ 0  n  New", "  1  a  Ada", "-    b  Ben", "~ 2  c  Cid→Kid"])
    #expect(kennel.table.nextFading == WatchTable.fading)
    kennel.table.fade(at: WatchTable.fading)
    #expect(kennel.lines == ["  0  n  New", "  1  a  Ada", "  2  c  Kid"])
    #expect(kennel.table.nextFading == nil)
  }

  @Test func `a moved row is marked with its direction`() throws {
    var kennel = try TableRows(["aAda", "bBen", "cCid"], height: 5)
    try kennel.become(
      ["cCid", "aAda", "bBen"],
      ChangeSet(deletions: [2], insertions: [0], moves: [ChangeSet.Move(old: 2, new: 0)]))
    #expect(kennel.lines == ["↑ 0  c  Cid", "  1  a  Ada", "  2  b  Ben"])
    try kennel.become(
      ["aAda", "bBen", "cKid"],
      ChangeSet(deletions: [0], insertions: [2], moves: [ChangeSet.Move(old: 0, new: 2)]))
    #expect(kennel.lines == ["  0  a  Ada", "  1  b  Ben", "↓ 2  c  Cid→Kid"])
  }

  @Test
  func
    `4.4: a row deleted and another inserted at its position is one deleted and one inserted line`()
    throws
  {
    var kennel = try TableRows(["aAda", "bBen"], height: 5)
    try kennel.become(["aAda", "nNew"], ChangeSet(deletions: [1], insertions: [1]))
    #expect(kennel.lines == ["  0  a  Ada", "-    b  Ben", "+ 1  n  New"])
  }

  @Test func `the visible rows stay in position while rows are inserted above them`() throws {
    var kennel = try TableRows(["aAda", "bBen", "cCid", "dDan"], height: 2)
    try kennel.table.scroll(by: 1, kennel.reader)
    #expect(kennel.lines == ["  1  b  Ben", "  2  c  Cid"])
    try kennel.become(
      ["nNew", "aAda", "bBen", "cCid", "dDan"], ChangeSet(insertions: [0]))
    #expect(kennel.lines == ["  2  b  Ben", "  3  c  Cid"])
  }

  @Test func `the start is followed from the start, and the end from the end`() throws {
    var kennel = try TableRows(["aAda", "bBen", "cCid"], height: 2)
    let grown = ["nNew", "aAda", "bBen", "cCid", "oOld"]
    try kennel.become(grown, ChangeSet(insertions: [0, 4]))
    #expect(kennel.lines == ["+ 0  n  New", "  1  a  Ada"])
    try kennel.table.scrollToEnd(kennel.reader)
    try kennel.become(grown + ["pPup"], ChangeSet(insertions: [5]))
    #expect(kennel.lines == ["  4  o  Old", "+ 5  p  Pup"])
  }

  @Test func `deleted lines take a quarter of the screen at most`() throws {
    let rows = (0..<26).map { String(UnicodeScalar(97 + $0)) + "x" }
    var kennel = try TableRows(rows, height: 8)
    try kennel.become(Array(rows.dropFirst(7)), ChangeSet(deletions: Array(0..<7)))
    #expect(kennel.lines.count { $0.hasPrefix("-") } == 2)
    #expect(kennel.table.violations == [])
  }

  @Test func `a table without colours draws as many lines as the window has`() throws {
    let kennel = try TableRows(["aAda"], height: 3)
    var picture = kennel.picture
    let window = Window(columns: 24, rows: 5, isColored: false)
    let lines = picture.lines(kennel.table, WatchFooter(), in: window)
    #expect(lines == ["        name", "  0  a  Ada", "", "", "1 row · q leaves"])
    let wide = picture.lines(
      kennel.table, WatchFooter(), in: Window(columns: 80, rows: 5, isColored: false))
    #expect(wide.last?.hasSuffix("▁ · q leaves") == true, "\(wide)")
    let narrow = picture.lines(
      kennel.table, WatchFooter(), in: Window(columns: 7, rows: 5, isColored: false))
    #expect(narrow.last == "q lea…")
  }

  @Test func `a change for which a column is too narrow shows the present value`() throws {
    var kennel = try TableRows(["aAdalbert", "bBen"], height: 2)
    try kennel.become(
      ["aAdalberta", "bBenjamin Franklin"],
      ChangeSet(modifications: [0, 1], modificationsNew: [0, 1]))
    var picture = kennel.picture
    for (columns, expected) in [
      (40, ["~ 0  a  Adalbert→Adalberta", "~ 1  b  Ben→Benjamin Franklin"]),
      (24, ["~ 0  a  Adalberta", "~ 1  b  Benjamin Fran…"]),
      (16, ["~ 0  a  Adalb…", "~ 1  b  Benja…"]),
    ] {
      picture.forgetWidths()
      let window = Window(columns: columns, rows: 4, isColored: false)
      #expect(Array(picture.lines(kennel.table, WatchFooter(), in: window)[1...2]) == expected)
    }
  }

  @Test func `colours mark what the signs mark`() throws {
    var kennel = try TableRows(["aAda", "bBen"], height: 4)
    try kennel.become(
      ["bBob", "nNew"],
      ChangeSet(
        deletions: [0], insertions: [1], modifications: [1], modificationsNew: [0]))
    var picture = kennel.picture
    let window = Window(columns: 40, rows: 6, isColored: true)
    let lines = picture.lines(kennel.table, WatchFooter(), in: window).map {
      String($0.map { $0 == "\u{1B}" ? "^" : $0 })
    }
    #expect(
      Array(lines[1...3]) == [
        "^[31m-^[m    ^[31ma^[m  ^[31mAda^[m",
        "^[33m~^[m 0  b  ^[33mBen→Bob^[m",
        "^[32m+^[m ^[32m1^[m  ^[32mn^[m  ^[32mNew^[m",
      ])
  }

  // MARK: Rates

  @Test func `the rate is that of the last seconds, and ends`() {
    var rate = ChangeRate()
    #expect(rate.nextSecond == nil)
    rate.note(rows: 7, at: .milliseconds(200))
    rate.note(rows: 1, at: .milliseconds(1300))
    #expect(rate.rate == "0.4")
    #expect(rate.spark == String(repeating: "▁", count: 18) + "█▂")
    #expect(rate.nextSecond == .seconds(2))
    rate.advance(to: .seconds(7))
    #expect(rate.rate == "0.0")
    #expect(rate.nextSecond == .seconds(8))
    rate.advance(to: .seconds(40))
    #expect(rate.isQuiet)
    #expect(rate.nextSecond == nil)
  }
}
