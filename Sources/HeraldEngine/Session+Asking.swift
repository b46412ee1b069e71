import HeraldModel
package import HeraldQuery

extension Session {
  /// Asks a question that an interruption may stop: what was read by then is thrown away, and
  /// `interrupted` is thrown.
  package func ask<Answer>(
    _ interruption: Interruption?, _ question: (any ObjectReader) throws -> Answer
  ) throws -> Answer {
    try checkOpen()
    guard let interruption else { return try question(reader) }
    if interruption.isRequested { throw HeraldError.interrupted }
    let answer: Answer
    switch writing {
    case .open(let write):
      write.reader.interruption = interruption
      defer { write.reader.interruption = nil }
      answer = try question(write.reader)
    case .none, .beginning:
      snapshot.interruption = interruption
      defer { snapshot.interruption = nil }
      answer = try question(snapshot)
    }
    if interruption.isRequested { throw HeraldError.interrupted }
    return answer
  }
}
