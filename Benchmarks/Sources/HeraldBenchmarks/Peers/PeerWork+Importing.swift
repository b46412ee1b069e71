import Glibc

extension PeerWork {
  static let importName = "import: CSV of 3 columns, a row"

  /// The import by the shell, as `import FILE as new CLASS`, with the start of the program.
  static func importing(_ data: PeerData, _ program: String) -> PeerWork {
    PeerWork(
      name: importName,
      measures: [
        (
          .herald,
          { effort in
            let script = "import \"\(data.importedFile)\" as new Entry\ncount Entry\n"
            let expected = "{\"result\":\(data.importedCount)}"
            let samples = try effort.samples(3, units: data.importedCount) { _ in
              var outcome: ChildProcess.Outcome?
              let time = try seconds {
                let process = try ChildProcess(program, ["--no-rc", "--json"])
                outcome = process.finish(Array(script.utf8))
              }
              let last = outcome?.output.split(separator: "\n").last.map(String.init)
              try require(
                outcome?.status == 0 && last == expected,
                "\(program) printed '\(outcome?.output ?? "")'")
              return time
            }
            return PeerFigure(samples, result: data.importedCount)
          }
        )
      ])
  }
}
