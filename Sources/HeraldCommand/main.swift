import Glibc

StandardStreams.fillGaps()
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
case .check(let options):
  do {
    exit(try CheckRun(options).run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
case .repair(let options):
  do {
    exit(try RepairRun(options).run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
case .print(let text):
  StandardStreams().write(text + "\n")
case .wrongUsage(let words, of: let command):
  StandardStreams.complain("\(words); see '\(command) --help'")
  exit(ExitStatus.wrongUsage)
}
