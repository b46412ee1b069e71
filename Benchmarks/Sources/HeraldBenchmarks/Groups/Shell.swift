import Glibc

extension HeraldBenchmarks {
  /// Benchmarks of the program named by the environment variable HERALD; empty if it is unset.
  static func shell() -> [Benchmark] {
    guard let variable = getenv("HERALD"), variable.pointee != 0 else { return [] }
    let program = String(cString: variable)
    return [
      Benchmark(
        name: "shell: start-up of herald -c ''", sizes: [1], unit: .none, target: .atMost(6e-3)
      ) { _, effort in try starts(program, ["-c", ""], effort) },
      Benchmark(name: "shell: (start-up of true)", sizes: [1], unit: .none) { _, effort in
        try starts("/bin/true", [], effort)
      },
      Benchmark(name: "shell: memory after one statement", sizes: [1], unit: .none) { _, effort in
        try memory(program, "print 1\n", 1, effort)
      },
      Benchmark(
        name: "shell: adds in one write", sizes: [1_000, 10_000, 100_000],
        unit: .perSecond("adds")
      ) { size, effort in
        try statements(program, size, effort, open: "write {\n", close: "}\n")
      },
      Benchmark(
        name: "shell: adds, each in its own write", sizes: [1_000, 10_000, 100_000],
        unit: .perSecond("adds")
      ) { size, effort in try statements(program, size, effort, open: "", close: "") },
      Benchmark(
        name: "shell: memory of adds in one write", sizes: [100_000], unit: .each("add")
      ) { size, effort in
        try memory(program, script(size, open: "write {\n", close: "}\n"), size, effort)
      },
    ]
  }

  private static func starts(
    _ program: String, _ arguments: [String], _ effort: Effort
  ) throws -> Samples {
    _ = try run(program, arguments, "")
    return try effort.samples(200) { _ in try seconds { _ = try run(program, arguments, "") } }
  }

  private static func statements(
    _ program: String, _ count: Int, _ effort: Effort, open: String, close: String
  ) throws -> Samples {
    let text = script(count, open: open, close: close)
    return try effort.samples(7, units: count) { _ in
      var output = ""
      let time = try seconds { output = try run(program, ["--json"], text).output }
      try require(output == "{\"result\":\(count)}\n", "the shell printed '\(output)'")
      return time
    }
  }

  private static func memory(
    _ program: String, _ text: String, _ units: Int, _ effort: Effort
  ) throws -> Samples {
    try effort.samples(5, units: units, quantity: .memory) { _ in
      let process = try ChildProcess(program, ["--json"])
      let peak = try process.peakMemory(after: Array(text.utf8))
      try require(process.finish().status == 0, "\(program) failed")
      return peak
    }
  }

  private static func script(_ count: Int, open: String, close: String) -> String {
    var text = "class Dog { name: string; age: int; weight: double; breed: string }\n" + open
    for index in 0..<count {
      let breed = Kennel.breeds[index % Kennel.breeds.count]
      text += "add Dog { name: \"Dog \(index)\", age: \(index % 20), weight: \(index % 80).5, "
      text += "breed: \"\(breed)\" }\n"
    }
    return text + close + "count Dog\n"
  }

  private static func run(
    _ program: String, _ arguments: [String], _ input: String
  ) throws -> ChildProcess.Outcome {
    let outcome = try ChildProcess(program, arguments).finish(Array(input.utf8))
    try require(outcome.status == 0, "\(program) ended with status \(outcome.status)")
    return outcome
  }
}
