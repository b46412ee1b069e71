import Glibc
import TestSupport
import Testing

@testable import HeraldShell

/// What the shell writes has the permissions that the umask leaves, and goes where no file was, or replaces a file
/// that is one. Files of a store that is open are the store's.
@Suite struct OutputFileTests {
  private func make(_ path: String, mode: mode_t) {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    fchmod(descriptor, mode)
    close(descriptor)
  }

  /// What the umask leaves of all permissions to read and write.
  private func usualMode() throws -> mode_t {
    let lines = FileTree.text("/proc/self/status").split(separator: "\n")
    let mask = try #require(lines.first { $0.hasPrefix("Umask:") }?.split(separator: "\t").last)
    return 0o666 & ~(try #require(mode_t(mask, radix: 8)))
  }

  @Test func `a new file has the usual permissions, and another's place keeps those it has`() throws
  {
    try withFolder { folder in
      make("\(folder)/old.herald", mode: 0o644)
      make("\(folder)/old.csv", mode: 0o640)
      let run = ScriptRun(
        """
        class A { n: int }
        add A { n: 1 }
        dump to "\(folder)/new.herald"
        dump to "\(folder)/old.herald"
        export A to "\(folder)/old.csv"
        export A to "\(folder)/new.csv"
        show A > "\(folder)/new.txt"
        backup to "\(folder)/new.hdb"
        """)
      #expect(run.errors == "")
      let usual = try usualMode()
      for (name, mode) in [
        ("new.herald", usual), ("new.csv", usual), ("new.txt", usual), ("new.hdb", 0o600),
        ("old.herald", 0o644), ("old.csv", 0o640),
      ] {
        #expect(FileTree.size("\(folder)/\(name)") > 0)
        #expect(FileTree.permissions("\(folder)/\(name)") == mode_t(mode), "\(name)")
      }
    }
  }

  @Test func `links, pipes and folders are not written to`() throws {
    try withFolder { folder in
      make("\(folder)/victim", mode: 0o666)
      symlink("\(folder)/victim", "\(folder)/link.csv")
      symlink("\(folder)/missing", "\(folder)/broken.herald")
      mkfifo("\(folder)/pipe", 0o600)
      let run = ScriptRun(
        """
        class A { n: int }
        add A { n: 1 }
        expect error "cannot write '\(folder)/link.csv': it is a symbolic link" {
          export A to "\(folder)/link.csv" }
        expect error "it is a symbolic link" { dump to "\(folder)/broken.herald" }
        expect error "it is not a regular file" { dump to "\(folder)/pipe" }
        expect error "it is a directory" { dump to "\(folder)" }
        """)
      #expect(run.errors == "")
      #expect(FileTree.size("\(folder)/victim") == 0)
      let left = Set(FileTree.names(in: folder))
      #expect(left == ["victim", "link.csv", "broken.herald", "pipe"])
    }
  }

  @Test func `files of a store that is open are neither read nor written`() throws {
    try withFolder { folder in
      let store = "\(folder)/a.hdb"
      symlink(store + "-lock", "\(folder)/link.csv")
      let run = ScriptRun(
        """
        open "\(store)"
        class A { n: int }
        add A { n: 1 }
        expect error "it belongs to an open store" { read "\(store)" }
        expect error "it belongs to an open store" { read "\(store)-lock" }
        expect error "it belongs to an open store" { import "\(store)" into A }
        expect error "it belongs to an open store" { import "\(folder)/link.csv" into A }
        expect error "it belongs to an open store" { dump to "\(store)" }
        expect error "it belongs to an open store" { dump to "\(store)-lock" }
        count A
        close
        expect error "expected a statement" { read "\(store)" }
        """)
      #expect(run.errors == "")
      #expect(run.output == "1\n")
      for name in ["a.hdb", "a.hdb-lock"] {
        #expect(FileTree.permissions("\(folder)/\(name)") == 0o600)
      }
    }
  }
}
