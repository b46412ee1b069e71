import Synchronization

/// One `-f` or `-c` with its position among the others.
///
/// The argument parser collects the values of each option separately, but transforms them in the order of
/// the command line: numbering them there keeps the order across both options.
struct ScriptArgument: Sendable {
  enum Kind: Hashable, Sendable {
    case file(String)
    case commands(String)
  }

  let position: Int
  let kind: Kind

  private static let count = Atomic(0)

  static func next(_ kind: Kind) -> ScriptArgument {
    ScriptArgument(position: count.add(1, ordering: .relaxed).newValue, kind: kind)
  }
}
