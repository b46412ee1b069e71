package import HeraldModel

/// The result of a command.
package enum ModelReply: Codable {
  /// The session's version after the command.
  case done(version: Int)
  case object(ObjectID)
  case answer(Bool)
  case objects([ModelReading])
  case rows([ObjectID], count: Int)
  case faults([String])
  case refused(ModelRefusal)
}
