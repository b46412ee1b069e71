import Synchronization

/// One `-f` or `-c` with its place among the others.
///
/// The argument parser keeps the values of each option apart, but transforms them one after the
/// other as it walks the command line: numbering them there keeps the order across both options.
struct ScriptArgument: Sendable {
  enum Kind: Hashable, Sendable {
    case file(String)
    case commands(String)
  }

  let place: Int
  let kind: Kind

  private static let places = Atomic(0)

  static func next(_ kind: Kind) -> ScriptArgument {
    ScriptArgument(place: places.add(1, ordering: .relaxed).newValue, kind: kind)
  }
}
