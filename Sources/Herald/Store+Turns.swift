import HeraldEngine

extension Store {
  /// Whether the end of a turn advances the session over others' commits. On by default.
  public var autorefresh: Bool {
    get { session.autorefresh }
    set { session.autorefresh = newValue }
  }

  /// Advances to the newest version and delivers everything; whether anything was new. Inside a
  /// delivery or a write it does nothing and answers false.
  @discardableResult
  public func refresh() throws -> Bool { try session.refresh() }

  /// Calls every block that is owed something at the version where the session stands: the first call
  /// of an observer then tells of what was there when it was registered.
  public func deliverOwed() throws { try session.deliverOwed() }

  /// Ends a turn: advances where autorefresh is on, delivers what is owed and runs queued writes,
  /// until nothing is left. Whether any block was called.
  ///
  /// Throws the first error that a block threw, after the others were called.
  @discardableResult
  public func endTurn() throws -> Bool { try session.endTurn() }
}
