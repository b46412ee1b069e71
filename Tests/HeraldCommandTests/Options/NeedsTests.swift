import Glibc
import TestSupport
import Testing

/// `scripts/needs` on machines that are made of a few small scripts.
struct NeedsTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The output of a machine's commands; each call is added to `calls`.
  private final class Machine {
    let folder: TemporaryFolder
    var calls: String { FileTree.text(folder.path + "/calls") }

    init(_ commands: [String: String]) throws {
      folder = try TemporaryFolder()
      mkdir(folder.path + "/bin", 0o700)
      for (name, body) in commands {
        let path = "\(folder.path)/bin/\(name)"
        let note = name == "apt-get" ? "echo \"$*\" >>'\(folder.path)/calls'\n" : ""
        try FileTree.save("#!/bin/sh\n\(note)\(body)\n", to: path)
        chmod(path, 0o700)
      }
      for name in ["env", "sh"] { symlink("/usr/bin/\(name)", "\(folder.path)/bin/\(name)") }
    }

    func run() throws -> ProgramRun {
      try ProgramRun(
        [NeedsTests.root + "/scripts/needs", "libedit-dev", "liblmdb-dev"],
        environment: ["PATH": folder.path + "/bin"], program: "/bin/sh")
    }
  }

  private static let nothingInstalled = ["dpkg-query": "exit 1", "swift": ""]
  private static let allInstalled = ["dpkg-query": "echo installed", "swift": ""]

  private func machine(_ base: [String: String], _ more: [String: String]) throws -> Machine {
    try Machine(base.merging(more) { $1 })
  }

  @Test func `Nothing is printed or installed when everything is there`() throws {
    let machine = try machine(Self.allInstalled, ["id": "echo 1000", "apt-get": ""])
    let run = try machine.run()
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(machine.calls == "")
  }

  @Test func `Root installs what is missing`() throws {
    let machine = try machine(Self.nothingInstalled, ["id": "echo 0", "apt-get": ""])
    let run = try machine.run()
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.errors == "herald: installing libedit-dev liblmdb-dev\n")
    #expect(
      machine.calls == "-q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "
        + "libedit-dev liblmdb-dev\n")
  }

  @Test func `Only what is missing is installed`() throws {
    let machine = try machine(
      ["swift": ""],
      [
        "dpkg-query": "case $* in *libedit*) echo installed;; *) exit 1;; esac", "id": "echo 0",
        "apt-get": "",
      ])
    #expect(try machine.run().errors == "herald: installing liblmdb-dev\n")
  }

  @Test func `Somebody with sudo installs through it`() throws {
    let sudo = "[ \"$1\" = -n ] || exit 9\nshift\nexec \"$@\""
    let machine = try machine(
      Self.nothingInstalled,
      ["id": "echo 1000", "sudo": sudo, "true": "exit 0", "apt-get": ""])
    let run = try machine.run()
    #expect(run.status == 0)
    #expect(run.errors == "herald: installing libedit-dev liblmdb-dev\n")
    #expect(machine.calls.hasSuffix("libedit-dev liblmdb-dev\n"))
  }

  @Test(arguments: [nil, "exit 1"])
  func `Other users are not asked for a password, but are shown what to install`(sudo: String?)
    throws
  {
    var commands = ["id": "echo 1000", "apt-get": ""]
    commands["sudo"] = sudo
    let machine = try machine(Self.nothingInstalled, commands)
    let run = try machine.run()
    #expect(run.status == 1)
    #expect(
      run.errors == """
        herald: these packages are missing; install them as root and try again:
        herald:   apt-get install libedit-dev liblmdb-dev

        """)
    #expect(machine.calls == "")
  }

  @Test func `Old package lists are fetched, and a package that is nowhere is a failure`() throws {
    let first = "case $* in *update*) echo >\"$0.new\";; *) [ -e \"$0.new\" ] || exit 100;; esac"
    let old = try machine(Self.nothingInstalled, ["id": "echo 0", "apt-get": first])
    let run = try old.run()
    #expect(run.status == 0)
    #expect(run.errors.contains("herald: the package lists may be missing or old: updating them"))
    #expect(old.calls.split(separator: "\n").count == 3)
    let never = try machine(Self.nothingInstalled, ["id": "echo 0", "apt-get": "exit 100"])
    #expect(try never.run().status == 100)
  }

  @Test func `Other systems show what is needed, and a missing Swift is named`() throws {
    let other = try Machine(["swift": ""]).run()
    #expect(other.status == 0)
    #expect(other.errors == "herald: this is not Debian; needed: libedit-dev liblmdb-dev\n")
    let swiftless = try machine(["dpkg-query": "echo installed"], [:]).run()
    #expect(swiftless.status == 1)
    #expect(
      swiftless.errors
        == "herald: Swift 6.3 or newer is needed, and 'swift' is not on the PATH: see "
        + "swift.org/install\n")
  }
}
