import Glibc

switch CommandLineRequest(Array(CommandLine.arguments.dropFirst())) {
case .run(let options):
  do {
    exit(try Program(options).run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
case .test(let options):
  do {
    exit(try TestRun(options).run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
case .print(let text):
  StandardStreams().write(text + "\n")
case .wrongUsage(let words):
  let isTest = CommandLine.arguments.dropFirst().first == TestOptions.word
  StandardStreams.complain(words + "; see 'herald \(isTest ? "test " : "")--help'")
  exit(ExitStatus.wrongUsage)
}
