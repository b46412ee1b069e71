package import HeraldModel
package import HeraldQuery
import HeraldStorage

extension Session {
  /// Asks a question that the session's interruption may stop: what was read by then is thrown
  /// away, and `interrupted` is thrown.
  package func ask<Answer>(
    _ question: (any ObjectReader) throws -> Answer
  ) throws -> Answer {
    try checkOpen()
    guard let interruption else {
      let answer = try question(reader)
      try checkIntact()
      return answer
    }
    if interruption.isRequested { throw HeraldError.interrupted }
    let reader = reader
    let answer = try reader.heeding(interruption) { try question(reader) }
    if interruption.isRequested { throw HeraldError.interrupted }
    try checkIntact()
    return answer
  }

  /// Throws `damaged` where anything that was read since the session moved to its version was damaged,
  /// and read as nil or as missing: what was made of it must not be served.
  @inline(__always)
  package func checkIntact() throws(HeraldError) {
    if resumeFailure != nil { try throwResumeFailure() }
    if held.transaction.hasFailed, !isResting { try throwFailure() }
    if case .open(let write) = writing, write.reader.transaction.hasFailed { try throwFailure() }
  }

  /// What `checkIntact` would throw now, and not again.
  @inline(__always)
  func takeFailure() -> HeraldError? {
    do {
      try checkIntact()
      return nil
    } catch {
      return error
    }
  }

  @inline(never)
  private func throwResumeFailure() throws(HeraldError) {
    defer { resumeFailure = nil }
    if let failure = resumeFailure as? HeraldError { throw failure }
  }

  @inline(never)
  private func throwFailure() throws(HeraldError) {
    let failure: StorageError? =
      if case .open(let write) = writing, let failure = write.reader.transaction.takeFailure() {
        failure
      } else {
        standing { $0.transaction.takeFailure() }
      }
    guard let failure else { return }
    if case .damaged(let path, let reason) = failure {
      throw .damaged(path: path, reason: held.layout.schema.named(reason))
    }
    throw HeraldError(failure)
  }

  /// Does what must not be left half done: where it throws, the whole write is rolled back.
  func wholly<R>(_ write: OpenWrite, _ body: () throws -> R) throws -> R {
    do {
      return try write.reader.heeding(interruption, body)
    } catch {
      if isInWrite { try rollback() }
      throw error
    }
  }
}
