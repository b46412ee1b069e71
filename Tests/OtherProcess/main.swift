import Glibc
import Herald

// The other process of the tests, on the store whose path is the first argument.
//
// With no second argument, or with "schema", it commits until it is killed, and writes the number of each
// commit to standard output, eight bytes, once the commit has returned: the crash tests read them, kill
// this process, and then expect every commit whose number they have read in the store. A 0 comes first,
// before the store is opened. With "schema" its commits change the schema.
//
// With "session" it performs the commands on standard input (SessionService).

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
    // The reader has ended.
    guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  }
}

do {
  switch role {
  case nil: try commitForEver { try CrashWriter(path: path) }
  case "schema": try commitForEver { try SchemaWriter(path: path) }
  case "session": try SessionService(path: path).run()
  case _: exit(2)
  }
} catch {
  let message = Array("\(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}
