/// Prints each result at once, and the growth over the sizes at the end.
struct Report {
  private struct Curve {
    let benchmark: Benchmark
    var points: [(size: Int, samples: Samples)]
  }

  private static let widths = [52, 10, 10, 10, 20, 13, 4]
  private static let curveWidths = [52, 11, 11, 11, 11, 8, 7, 4]

  private var curves: [Curve] = []
  private(set) var missed: [String] = []

  func begin() {
    print(
      Self.row(
        ["benchmark", "size", "median", "min", "per unit", "target", "met"], Self.widths))
  }

  mutating func add(_ benchmark: Benchmark, size: Int, _ samples: Samples) {
    if curves.last?.benchmark.name != benchmark.name {
      curves.append(Curve(benchmark: benchmark, points: []))
    }
    curves[curves.count - 1].points.append((size, samples))
    let target = size == benchmark.sizes.last ? benchmark.target : nil
    let isMet = target?.isMet(by: samples)
    if isMet == false { missed.append(benchmark.name) }
    print(
      Self.row(
        [
          benchmark.name, Figures.grouped(size), Figures.text(samples.median, samples.quantity),
          Figures.text(samples.min, samples.quantity), Self.perUnit(samples, benchmark.unit),
          target.map { Self.text($0, samples.quantity) } ?? "", Self.word(isMet),
        ], Self.widths))
  }

  /// Returns a chart of the benchmarks whose names begin with a prefix, by the median at each size.
  func picture(of prefix: String, _ title: String) -> Picture {
    Picture(
      title: title,
      curves: curves.filter { $0.benchmark.name.hasPrefix(prefix) && $0.points.count > 1 }.map {
        curve in
        Picture.Curve(
          name: String(curve.benchmark.name.dropFirst(prefix.count)),
          points: curve.points.map { ($0.size, $0.samples.median) })
      })
  }

  mutating func end() {
    let growing = curves.filter { $0.points.count > 1 }
    if !growing.isEmpty {
      print("\nGrowth: the median per unit at each size, and the ratio of the last to the first.")
    }
    var sizes: [Int] = []
    for curve in growing {
      if curve.points.map(\.size) != sizes {
        sizes = curve.points.map(\.size)
        let heads = sizes.map(Figures.grouped)
        print(Self.curveRow("benchmark", heads, ["ratio", "target", "met"]))
      }
      print(line(curve))
    }
    print("")
    print("≤ a limit; ≈ an earlier figure, met up to 1.5 times; each at its largest size.")
    print(missed.isEmpty ? "All targets are met." : "Missed: " + missed.joined(separator: "; "))
  }

  private mutating func line(_ curve: Curve) -> String {
    let figures = curve.points.map(\.samples)
    let ratio = figures[figures.count - 1].medianPerUnit / figures[0].medianPerUnit
    // A limit applies to the whole range of sizes, which a quick run does not cover.
    let isWhole = curve.points.count == curve.benchmark.sizes.count
    let limit = isWhole ? curve.benchmark.growthLimit : nil
    let isMet = limit.map { ratio <= $0 }
    if isMet == false { missed.append(curve.benchmark.name + " (growth)") }
    return Self.curveRow(
      curve.benchmark.name, figures.map { Figures.text($0.medianPerUnit, $0.quantity) },
      [Figures.ratio(ratio), limit.map { "≤ " + Figures.ratio($0) } ?? "", Self.word(isMet)])
  }

  private static func curveRow(_ name: String, _ points: [String], _ rest: [String]) -> String {
    let columns = curveWidths.count - 1 - rest.count
    let padding = [String](repeating: "", count: max(0, columns - points.count))
    return row([name] + points + padding + rest, curveWidths)
  }

  private static func perUnit(_ samples: Samples, _ unit: Benchmark.Unit) -> String {
    switch unit {
    case .none: ""
    case .each(let name): Figures.text(samples.medianPerUnit, samples.quantity) + "/" + name
    case .perSecond(let name): "\(Figures.grouped(Int(1 / samples.medianPerUnit))) \(name)/s"
    }
  }

  private static func text(_ target: Target, _ quantity: Samples.Quantity) -> String {
    let sign =
      switch target.strictness {
      case .atMost: "≤ "
      case .near: "≈ "
      }
    return sign + Figures.text(target.limit, quantity)
  }

  private static func word(_ isMet: Bool?) -> String {
    switch isMet {
    case true: "yes"
    case false: "NO"
    case nil: ""
    }
  }

  /// Aligns the first cell left and the others right.
  private static func row(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let padding = String(repeating: " ", count: max(0, width - cell.count))
      text += index == 0 ? cell + padding : " " + padding + cell
    }
    return text
  }
}
