import Glibc
import Herald

// Commits for ever, on the store whose path is the only argument, and writes the number of each
// commit to standard output, eight bytes, once the commit has returned: the crash test reads them,
// kills this process, and then expects every number that it has read to be in the store. A 0 comes
// first, before the store is opened.

guard CommandLine.arguments.count == 2 else { exit(2) }

do {
  var number = 0
  guard write(STDOUT_FILENO, &number, MemoryLayout<Int>.size) > 0 else { exit(0) }
  let writer = try CrashWriter(path: CommandLine.arguments[1])
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
