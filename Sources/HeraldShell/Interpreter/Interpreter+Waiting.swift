import Herald

extension Interpreter {
  /// Names the session that has the write open which is in the way.
  func naming<R>(_ session: Session, _ body: () throws -> R) throws -> R {
    session.blocksRunning += 1
    defer { session.blocksRunning -= 1 }
    do {
      return try waitingForPrograms(body)
    } catch HeraldError.writerBusy {
      let other = sessions.first { $0 !== session && $0.store?.isInWrite == true }
      guard let other else { throw HeraldError.writerBusy }
      throw Complaint.writerBusy(session: other.name)
    }
  }

  /// Does `body`, again and again for some seconds while another program has the store's write open.
  private func waitingForPrograms<R>(_ body: () throws -> R) throws -> R {
    let end = Clock.uptime + Self.patience
    while true {
      do {
        return try body()
      } catch HeraldError.locked(let path) {
        if interruption.isRequested { throw Complaint.interrupted }
        guard Clock.uptime < end else { throw HeraldError.locked(path: path) }
        Clock.pause()
      }
    }
  }

  /// Seconds.
  private static let patience = 5.0
}
