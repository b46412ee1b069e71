import Glibc
import TestSupport

@testable import HeraldCommand

/// One run of the built program without a terminal, from its beginning to its end.
struct ProgramRun {
  let output: String
  let errors: String
  let status: Int32

  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    program: String = RunningProgram.path
  ) throws {
    try self.init(
      arguments, input: Array(input.utf8), environment: environment, program: program)
  }

  init(
    _ arguments: [String], input: [UInt8], environment: [String: String] = [:],
    program: String = RunningProgram.path
  ) throws {
    let folder = try TemporaryFolder()
    try FileTree.save(input, to: folder.path + "/input")
    var process = ChildProcess(program, arguments)
    process.environment.merge(ChildProcess.environment(home: folder.path)) { $1 }
    process.environment.merge(environment) { $1 }
    try process.open(0, folder.path + "/input", O_RDONLY)
    try process.open(1, folder.path + "/output", O_WRONLY | O_CREAT)
    try process.open(2, folder.path + "/errors", O_WRONLY | O_CREAT)
    status = try process.start().end()
    output = FileTree.text(folder.path + "/output")
    errors = FileTree.text(folder.path + "/errors")
  }

  /// The run of a program whose reader leaves when the first byte has come.
  init(leavingAfterOneByte arguments: [String], input: String = "") throws {
    let folder = try TemporaryFolder()
    try FileTree.save(input, to: folder.path + "/input")
    let pipe = try Pipe()
    var child = ChildProcess(RunningProgram.path, arguments)
    child.environment = ChildProcess.environment(home: folder.path)
    try child.open(0, folder.path + "/input", O_RDONLY)
    child.duplicate(pipe.writing, as: 1)
    try child.open(2, folder.path + "/errors", O_WRONLY | O_CREAT)
    let process = try child.start()
    close(pipe.writing)
    var byte: UInt8 = 0
    output = read(pipe.reading, &byte, 1) == 1 ? String(UnicodeScalar(byte)) : ""
    close(pipe.reading)
    status = process.end()
    errors = FileTree.text(folder.path + "/errors")
  }
}
