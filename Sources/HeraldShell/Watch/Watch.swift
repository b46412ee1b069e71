import Herald

/// A watched collection: handles keys and makes the lines on the screen. It knows no terminal; the owner
/// of one reads the lines, passes keys on, and takes turns when others have committed. Confined to one
/// thread.
package final class Watch {
  package enum Key: Hashable, Sendable {
    case up, down, pageUp, pageDown, start, end, left, right, leave
  }

  private let interpreter: Interpreter
  private let session: ShellSession
  private let syntax: ObserveSyntax
  private var rows: WatchedRows
  /// The version that the columns were last read at.
  private var version: Int?
  /// The schema that the columns are derived from.
  private var schema: Schema?
  private var table = WatchTable(height: 1)
  private var footer = WatchFooter()
  private var picture: WatchPicture
  private var token: ObservationToken?
  private let beginning = ContinuousClock.now
  private var hasBegun = false
  /// Whether the owner of the collection, or the class, was deleted.
  private var hasEnded = false
  private var wantsToLeave = false
  private(set) var failure: (any Error)?
  private var check: Check?

  /// Compares the rows shown with the collection periodically.
  private struct Check {
    var next: Duration
    var count = 0
    static let interval = Duration.seconds(1)
  }

  init(
    _ rows: RowReading, _ syntax: ObserveSyntax, _ interpreter: Interpreter,
    _ session: ShellSession, _ columns: DynamicColumns? = nil
  ) {
    let rows = WatchedRows(rows, syntax, session, columns)
    self.rows = rows
    self.syntax = syntax
    self.interpreter = interpreter
    self.session = session
    schema = session.store?.schema
    picture = WatchPicture(rows.columns, hasLabels: rows.hasLabels, keyName: rows.keyName)
    if interpreter.options.checksWatches { check = Check(next: Check.interval) }
  }

  /// Begins to observe; the next turn delivers the initial event.
  func begin() throws {
    let keyPaths = syntax.keyPaths.texts
    switch rows.rows {
    case .results(let results):
      token = try results.observe(keyPaths: keyPaths, depth: syntax.depth) {
        [unowned self] _, change in receive(change)
      }
    case .collection(let collection):
      token = try collection.observe(keyPaths: keyPaths, depth: syntax.depth) {
        [unowned self] _, change in receive(change)
      }
    case .elements(let elements):
      if let keyPaths { throw HeraldError.keyPathsOnValues(keyPaths.first ?? "none") }
      token = try elements.observe { [unowned self] elements, change in
        rows.follow(elements)
        receive(change)
      }
    case .groups(let groups):
      token = try groups.observe { [unowned self] _, change in receive(change) }
    case .histogram(let histogram):
      token = try histogram.observe(
        silenced: { _, _ in },
        { [unowned self] histogram, change in
          rows.follow(histogram)
          if rows.columns != picture.columns { picture = WatchPicture(rows.columns) }
          picture.largestCount = histogram.present.counts.max() ?? 0
          receive(change)
        })
    }
  }

  func end() { token?.invalidate() }

  /// Stops observing; nothing more is shown.
  package var isOver: Bool { wantsToLeave || failure != nil }
}

// MARK: Events

extension Watch {
  /// Makes the sessions release their versions while the reader watches; a turn must precede the next read.
  package func rest() { interpreter.restSessions() }

  /// Whether the sessions have rested since the last turn.
  package var hasRested: Bool { interpreter.hasRested }

  /// Ends the turns of all sessions, which delivers the commits of others.
  package func takeTurns() {
    interpreter.hasRested = false
    do {
      try interpreter.endTurns(after: session, on: session)
    } catch {
      // The error was reported when the block of another observer failed.
    }
    interpreter.output.flush()
    if token?.isLive == false { hasEnded = true }
    followSchema()
    followColumns()
    footer.notes = notes
  }

  /// Reads the columns of the rows on the screen again: they may read more than the rows.
  private func followColumns() {
    guard hasBegun, rows.columnsOfStatement != nil, let present = session.store?.version,
      version != present
    else { return }
    version = present
    attempt {
      try rows.followColumns()
      try table.refresh(at: now, read)
    }
  }

  /// Updates the columns: properties may have been added, dropped or renamed.
  private func followSchema() {
    guard let present = session.store?.schema, schema?.isIdentical(to: present) != true else {
      return
    }
    schema = present
    rows = WatchedRows(rows.rows, syntax, session, rows.columnsOfStatement)
    picture = WatchPicture(rows.columns, hasLabels: rows.hasLabels, keyName: rows.keyName)
    attempt { try table.reload(read) }
  }

  private var notes: [String] {
    var notes: [String] = []
    if let live = interpreter.live, live.badCount > 0 { notes.append("\(live.badCount) bad lines") }
    if hasEnded { notes.append("the watched collection was deleted") }
    if session.store?.autorefresh == false { notes.append("autorefresh is off") }
    if let check { notes.append("checked \(check.count)") }
    return notes
  }

  private func receive(_ change: DynamicCollectionChange) {
    attempt {
      switch change {
      case .initial(let count):
        hasBegun = true
        try table.begin(count: count, read)
      case .update(let changes, _): try apply(changes)
      case .mapUpdate(let changes, let ownerDeleted): try apply(inRows(changes, ownerDeleted))
      case .error(let error): throw error
      }
    }
  }

  private func apply(_ changes: ChangeSet) throws {
    try table.apply(changes, at: now, read)
    let rows =
      changes.deletions.count + changes.insertions.count + changes.modifications.count
      - changes.moves.count
    footer.rate.note(rows: rows, at: now)
    footer.last = WatchFooter.Last(changes, time: Clock.timeOfDay)
  }

  /// A map's changes by position. O(changes · log n).
  private func inRows(_ changes: MapChangeSet, _ ownerDeleted: Bool) -> ChangeSet {
    guard !ownerDeleted, case .collection(let collection) = rows.rows else {
      return ChangeSet(
        deletions: Array(changes.deletions.indices), insertions: [], modifications: [],
        modificationsNew: [])
    }
    return ChangeSet(changes) { collection.position(ofKey: $0).row }
  }

  private func read(_ range: Range<Int>) throws -> [WatchTable.Content] {
    try rows.contents(of: range, token)
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { failure = failure ?? error }
  }

  /// Since it began.
  private var now: Duration { ContinuousClock.now - beginning }
}

// MARK: Lines of an import

extension Watch {
  /// Becomes readable when lines have come that are added while the rows are watched; nil if none are.
  package var input: Int32? { interpreter.live.map(\.descriptor) }

  /// When to call `takeInput` although nothing has come; nil for never.
  package var inputDeadline: ContinuousClock.Instant? { interpreter.live?.deadline }

  /// Adds what has come; a turn must follow. Leaves at the end of the input.
  package func takeInput() {
    attempt { try interpreter.live?.takeLines() }
    if interpreter.live?.isOver ?? false { wantsToLeave = true }
  }
}

// MARK: Time

extension Watch {
  /// The time until the screen changes without an event; nil if it does not.
  package var patience: Duration? {
    let times = [table.nextFading, footer.rate.nextSecond, check?.next].compactMap(\.self)
    return times.min().map { max(.zero, $0 - now) }
  }

  /// Does the work that is due by now.
  package func passTime() {
    let now = self.now
    table.fade(at: now)
    footer.rate.advance(to: now)
    if let due = check?.next, due <= now { checkRows(at: now) }
  }

  /// Compares the visible rows with those of the collection, which is read again.
  private func checkRows(at now: Duration) {
    takeTurns()
    guard failure == nil, hasBegun, !hasEnded else { return }
    attempt {
      let real = try rows.freshContents(of: table.visible)
      if let difference = table.difference(fromCount: try rows.count, real) {
        throw Diagnostic.expectation(expected: "what is shown", actual: difference)
      }
      if let wrong = table.violations.first {
        throw Diagnostic.expectation(expected: "a sound table", actual: wrong)
      }
    }
    check?.next = now + Check.interval
    check?.count += 1
    footer.notes = notes
  }
}

// MARK: Keys and lines

extension Watch {
  package func press(_ key: Key) {
    attempt {
      switch key {
      case .up: try table.scroll(by: -1, read)
      case .down: try table.scroll(by: 1, read)
      case .pageUp: try table.scroll(by: -max(1, table.height - 1), read)
      case .pageDown: try table.scroll(by: max(1, table.height - 1), read)
      case .start: try table.scrollToStart(read)
      case .end: try table.scrollToEnd(read)
      case .left: picture.firstColumn = max(0, picture.firstColumn - 1)
      case .right:
        picture.firstColumn = min(max(0, rows.columns.count - 1), picture.firstColumn + 1)
      case .leave: wantsToLeave = true
      }
    }
    switch key {
    case .up, .down, .leave: break
    case .pageUp, .pageDown, .start, .end, .left, .right: picture.forgetWidths()
    }
  }

  /// Leaves, and stops the statements after it.
  package func interrupt() {
    wantsToLeave = true
    interpreter.interrupt()
  }

  /// Leaves after an interruption of a block, which does not affect later statements.
  package func leaveInterrupted() {
    wantsToLeave = true
    interpreter.clearInterruption()
  }

  /// To be called before the first turn, and whenever the window changes.
  package func resize(_ window: Window) {
    picture.forgetWidths()
    attempt { try table.resize(height: WatchPicture.height(in: window), read) }
  }

  /// As many lines as the window has.
  package func lines(in window: Window) -> [String] { picture.lines(table, footer, in: window) }
}
