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
//
// With "replica ADDRESS COUNT" it writes to a stream (ReplicaWriter), with "measure ADDRESS COUNT [FIGURE]" it measures
// that.

let path = CommandLine.arguments.dropFirst().first
let role = CommandLine.arguments.dropFirst(2).first
let rest = Array(CommandLine.arguments.dropFirst(3))
guard let path, rest.count <= 3 else { exit(2) }

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
  case "replica" where rest.count == 2:
    exit(try ReplicaWriter(path: path, address: rest[0], count: Int(rest[1]) ?? 0).run())
  case "measure" where rest.count >= 2:
    try ReplicaMeasurement(folder: path, address: rest[0], count: Int(rest[1]) ?? 0)
      .run(rest.dropFirst(2).first)
  case _: exit(2)
  }
} catch {
  let message = Array("\(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(1)
}
