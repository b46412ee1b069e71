import Glibc

switch CommandLineRequest(Array(CommandLine.arguments.dropFirst())) {
case .run(let options):
  do {
    exit(try Program(options).run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
case .print(let text):
  StandardStreams().write(text + "\n")
case .wrongUsage(let words):
  StandardStreams.complain(words + "; see 'herald --help'")
  exit(ExitStatus.wrongUsage)
}
