import Glibc

/// Ends the program with the status of a run, or with a message if it could not begin.
func end(_ run: () throws(SystemFailure) -> Int32) -> Never {
  do {
    exit(try run())
  } catch {
    StandardStreams.complain(error.reason)
    exit(ExitStatus.cannotOpen)
  }
}

StandardStreams.fillGaps()
switch CommandLineRequest(Array(CommandLine.arguments.dropFirst())) {
case .run(let options):
  end { () throws(SystemFailure) in try Program(options).run() }
case .test(let options):
  end { () throws(SystemFailure) in try TestRun(options).run() }
case .check(let options):
  end { () throws(SystemFailure) in try FileRun(options.output).check(options) }
case .repair(let options):
  end { () throws(SystemFailure) in try FileRun(options.output).repair(options) }
case .replicate(let options):
  end { () throws(SystemFailure) in try FileRun(options.output).replicate(options) }
case .convert(let options):
  end { () throws(SystemFailure) in try FileRun(options.output).convert(options) }
case .serve(let arguments):
  ServerProgram.run(arguments)
  StandardStreams.complain(ServerProgram.missing)
  exit(ExitStatus.cannotOpen)
case .print(let text):
  StandardStreams().write(text + "\n")
case .wrongUsage(let message, of: let command):
  StandardStreams.complain("\(message); see '\(command) --help'")
  exit(ExitStatus.wrongUsage)
}
