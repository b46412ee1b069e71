import Glibc
import Herald

// The other process of the tests, on the store whose path is the first argument.
//
// With no second argument, or with "schema", it commits for ever, and writes the number of each
// commit to standard output, eight bytes, once the commit has returned: the crash tests read them,
// kill this process, and then expect every number that they have read to be in the store. A 0 comes
// first, before the store is opened. With "schema" its commits change the schema.
//
// With "session" it does what it is told on standard input (TwinService).

let path = CommandLine.arguments.dropFirst().first
let role = CommandLine.arguments.dropFirst(2).first
guard let path, CommandLine.arguments.count <= 3 else { exit(2) }

/// Commits until it is killed.
func commitForEver(_ makeWriter: () throws -> any Writer) throws {
  var number = 0
  guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  let writer = try makeWriter()
  while true {
    number = try writer.commit()
    // The reader is gone: nobody is left to write for.
    guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  }
}

do {
  switch role {
  case nil: try commitForEver { try CrashWriter(path: path) }
  case "schema": try commitForEver { try SchemaWriter(path: path) }
  case "session": try TwinService(path: path).run()
  case _: exit(2)
  }
} catch {
  let message = Array("\(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}
