/// What the program tells the one that started it.
enum ExitStatus: Int32 {
  case success = 0
  case statementFailed = 1
  case wrongUsage = 2
  case expectationFailed = 3
  case cannotOpen = 4
  case interrupted = 130
}
