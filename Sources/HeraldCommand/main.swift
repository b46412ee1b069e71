import ArgumentParser
import Glibc
let options = try! Options.parse(Array(CommandLine.arguments.dropFirst()))
print(options.sources)
