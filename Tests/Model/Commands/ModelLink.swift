/// Performs commands in one session, and calls back meanwhile.
package protocol ModelLink: AnyObject {
  func perform(_ command: ModelCommand) throws -> ModelReply

  /// Closes the session.
  func leave()
}
