import Glibc
import HeraldShell
import TestSupport
import Testing

/// What the manual page shows is run by a shell, one example after the other.
@Suite struct ManualTests {
  @Test func `The examples of the manual page print what they should`() throws {
    let folder = try TemporaryFolder()
    let place = RunningProgram.path.dropLast("/herald".count)
    try FileTree.save(ManualPage.walk + "\n", to: folder.path + "/walk.herald")
    for example in ManualPage.shellExamples {
      let script = "cd '\(folder.path)' && set -e\n" + example.lines.joined(separator: "\n") + "\n"
      let run = try ProgramRun(
        ["-c", script], environment: ["PATH": "\(place):/usr/bin:/bin"], program: "/bin/sh")
      #expect(run.errors == "", "\(example.purpose)")
      #expect(run.status == 0, "\(example.purpose)")
      #expect(run.output == example.output, "\(example.purpose)")
    }
  }

  @Test func `The manual page has the sections that readers look for`() {
    let sections = ManualPage.text.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }
      .map { String($0.dropFirst(4)) }
    for wanted in [
      "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT",
      "FILES", "DIAGNOSTICS", "SEE ALSO",
    ] {
      #expect(sections.contains(wanted))
    }
  }
}
