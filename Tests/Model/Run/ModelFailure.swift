/// What was expected and what was seen, with what led to it.
struct ModelFailure: Error, CustomStringConvertible {
  var description: String
}
