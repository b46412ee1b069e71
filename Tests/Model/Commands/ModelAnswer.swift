/// The answer to a callback.
package enum ModelAnswer: Codable {
  case goOn
  /// The block throws.
  case fail
}
