import Glibc

// What somebody does at a terminal with a file of a million records: import it, describe it, look at the distribution of a
// column, export it. Each figure has the start of the program, which opens a store in a file; duckdb's table is in memory.

extension PeerWork {
  /// The works of the shell on a file of JSON Lines of twelve columns, in the order in which duckdb needs them.
  static func files(_ data: PeerData, _ program: String) throws -> [PeerWork] {
    let (file, store) = (data.linesFile, data.folder.file("lines.hdb"))
    let (ours, theirs) = (data.folder.file("ours.csv"), data.folder.file("theirs.csv"))
    let words = "concat(min, max, approx_unique, avg, std, q25, q50, q75, count, null_percentage)"
    return [
      work(
        "import: JSON Lines of 12 columns, on one core", data, { "rm -f '\($0)'*" }, on: store,
        [
          "taskset", "-c", "0", program, "--no-rc", store, "-c", "import \"\(file)\" as new Line",
          "-c", "count Line",
        ], "CREATE OR REPLACE TABLE line AS FROM read_json('\(file)')"),
      work(
        "export: 12 columns as CSV", data, { _ in "rm -f '\(ours)'" }, on: store,
        [program, "--no-rc", store, "-c", "export Line to \"\(ours)\"", "-c", "count Line"],
        "COPY line TO '\(theirs)' (HEADER)"),
      work(
        "describe: 12 columns", data, { _ in "true" }, on: store,
        [program, "--no-rc", store, "-c", "describe Line", "-c", "count Line"],
        "SELECT CASE WHEN length(string_agg(\(words))) > 0 THEN any_value(count) END "
          + "FROM (SUMMARIZE line)"),
      work(
        "histogram: 10 bins", data, { _ in "true" }, on: store,
        [program, "--no-rc", store, "-c", "histogram Line by x bins 10", "-c", "count Line"],
        "SELECT sum(count)::BIGINT FROM histogram('line', x, bin_count := 10)"),
    ]
  }

  /// - Parameter prepare: The command before each run, for the path of the store.
  private static func work(
    _ name: String, _ data: PeerData, _ prepare: @escaping (String) -> String, on store: String,
    _ command: [String], _ statement: String
  ) -> PeerWork {
    PeerWork(
      name: name,
      measures: [
        (
          .herald,
          { effort in
            let samples = try effort.samples(5) { _ in
              _ = try ChildProcess("/bin/sh", ["-c", prepare(store)]).finish()
              var outcome: ChildProcess.Outcome?
              let time = try seconds {
                outcome = try ChildProcess("/usr/bin/env", command).finish()
              }
              try require(
                outcome?.status == 0 && outcome?.output.hasSuffix("\(data.size)\n") ?? false,
                "\(command) printed '\(outcome?.output ?? "")'")
              return time
            }
            return PeerFigure(samples, result: data.size)
          }
        )
      ], statement: statement)
  }
}
