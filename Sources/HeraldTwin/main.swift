import Glibc
import Herald

// Commits for ever, on the store whose path is the first argument, and writes the number of each
// commit to standard output, eight bytes, once the commit has returned: the crash tests read them,
// kill this process, and then expect every number that they have read to be in the store. A 0 comes
// first, before the store is opened. With a second argument, "schema", its commits change the schema.

let path = CommandLine.arguments.dropFirst().first
let isAltering = CommandLine.arguments.dropFirst(2) == ["schema"]
guard let path, isAltering || CommandLine.arguments.count == 2 else { exit(2) }

do {
  var number = 0
  guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  let writer: any Writer =
    isAltering ? try SchemaWriter(path: path) : try CrashWriter(path: path)
  while true {
    number = try writer.commit()
    // The reader is gone: nobody is left to write for.
    guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  }
} catch {
  let message = Array("\(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}
