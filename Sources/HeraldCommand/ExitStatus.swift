/// The exit statuses that the command itself sets; the interpreter sets the others.
enum ExitStatus {
  static let wrongUsage: Int32 = 2
  static let expectationFailed: Int32 = 3
  static let cannotOpen: Int32 = 4
  static let cannotWrite: Int32 = 1
  static let interrupted: Int32 = 130
}
