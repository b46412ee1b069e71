import HeraldModel
package import HeraldQuery

extension Session {
  /// Asks a question that the session's interruption may stop: what was read by then is thrown
  /// away, and `interrupted` is thrown.
  package func ask<Answer>(
    _ question: (any ObjectReader) throws -> Answer
  ) throws -> Answer {
    try checkOpen()
    guard let interruption else { return try question(reader) }
    if interruption.isRequested { throw HeraldError.interrupted }
    let reader = reader
    let answer = try reader.heeding(interruption) { try question(reader) }
    if interruption.isRequested { throw HeraldError.interrupted }
    return answer
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
