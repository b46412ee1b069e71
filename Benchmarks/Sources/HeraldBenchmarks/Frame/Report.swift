/// Prints each result at once, and the growth over the sizes at the end.
struct Report {
  private struct Curve {
    let benchmark: Benchmark
    var points: [(size: Int, samples: Samples)]

    /// Those without the sizes that only `--up-to` adds.
    var usualPoints: [(size: Int, samples: Samples)] {
      points.filter { benchmark.sizes.contains($0.size) }
    }
  }

  /// The maximum ratio of the figure at a larger size than the usual ones to that at the largest of these.
  private static let largerLimit = 2.0

  private static let widths = [52, 10, 10, 10, 20, 13, 4]
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

  /// Returns the same as a table of Markdown, with the ratio of the last usual size to the first, and, where larger ones
  /// were measured, that of the largest to the last usual one.
  func table(of prefix: String) -> String {
    let curves = curves.filter { $0.benchmark.name.hasPrefix(prefix) && $0.points.count > 1 }
    guard let first = curves.first else { return "" }
    let sizes = first.points.map(\.size)
    let usual = first.usualPoints.count
    var heads = ["view"] + sizes.map(Figures.grouped) + [Self.ratioName(sizes[usual - 1], sizes[0])]
    if usual < sizes.count {
      heads.append(Self.ratioName(sizes[sizes.count - 1], sizes[usual - 1]))
    }
    var table = MarkdownTable(heads)
    for curve in curves {
      let figures = curve.points.map(\.samples)
      var cells = [String(curve.benchmark.name.dropFirst(prefix.count))]
      cells += figures.map { Figures.text($0.median, $0.quantity) }
      cells.append(Figures.digits(figures[usual - 1].median / figures[0].median))
      if usual < figures.count {
        cells.append(Figures.digits(figures[figures.count - 1].median / figures[usual - 1].median))
      }
      table.add(cells)
    }
    return table.text
  }

  private static func ratioName(_ size: Int, _ smaller: Int) -> String {
    "\(Figures.grouped(size)) / \(Figures.grouped(smaller))"
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
      if let larger = largerLine(curve) { print(larger) }
    }
    print("")
    print("≤ a limit; ≈ an earlier figure, met up to 1.5 times; each at its largest size.")
    print(missed.isEmpty ? "All targets are met." : "Missed: " + missed.joined(separator: "; "))
  }

  private mutating func line(_ curve: Curve) -> String {
    let figures = curve.points.map(\.samples)
    let last = curve.usualPoints.last?.samples ?? figures[figures.count - 1]
    let ratio = last.medianPerUnit / figures[0].medianPerUnit
    // A limit applies to the whole range of sizes, which a quick run does not cover.
    let isWhole = curve.usualPoints.count == curve.benchmark.sizes.count
    let limit = isWhole ? curve.benchmark.growthLimit : nil
    let isMet = limit.map { ratio <= $0 }
    if isMet == false { missed.append(curve.benchmark.name + " (growth)") }
    return Self.curveRow(
      curve.benchmark.name, figures.map { Figures.text($0.medianPerUnit, $0.quantity) },
      [Figures.ratio(ratio), limit.map { "≤ " + Figures.ratio($0) } ?? "", Self.word(isMet)])
  }

  /// Returns the line of sizes beyond the usual ones, and notes a missed limit.
  private mutating func largerLine(_ curve: Curve) -> String? {
    guard let usual = curve.usualPoints.last, let largest = curve.points.last,
      largest.size > usual.size
    else { return nil }
    let ratio = largest.samples.medianPerUnit / usual.samples.medianPerUnit
    let isMet = ratio <= Self.largerLimit
    let name = "  \(Figures.grouped(largest.size)) to \(Figures.grouped(usual.size))"
    if !isMet { missed.append(curve.benchmark.name + name) }
    return Self.curveRow(
      name, curve.points.map { _ in "" },
      [Figures.ratio(ratio), "≤ " + Figures.ratio(Self.largerLimit), Self.word(isMet)])
  }

  private static func curveRow(_ name: String, _ points: [String], _ rest: [String]) -> String {
    let padding = [String](repeating: "", count: max(0, 4 - points.count))
    let points = points + padding
    return row([name] + points + rest, [52] + points.map { _ in 11 } + [8, 7, 4])
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
