import Glibc

/// A chart of times over sizes, with logarithmic axes.
struct Picture {
  struct Curve {
    let name: String
    /// The times in seconds, ascending by size.
    let points: [(size: Int, time: Double)]
  }

  let title: String
  let curves: [Curve]

  private static let width = 960.0
  private static let height = 560.0
  private static let plot = (left: 80.0, right: 680.0, top: 60.0, bottom: 490.0)
  private static let colours = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2",
    "#7f7f7f", "#bcbd22", "#003f5c", "#a05195", "#665191", "#f95d6a",
  ]

  /// An SVG document.
  var text: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(Self.width)) "
        + "\(Int(Self.height))\" font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      "<text x=\"\(Self.plot.left)\" y=\"32\" font-size=\"17\">\(title)</text>",
    ]
    lines += sizeLines + timeLines
    for (index, curve) in curves.enumerated() { lines += self.lines(curve, index) }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the file; returns false on failure.
  func write(to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }

  private var sizes: [Int] { Set(curves.flatMap(\.points).map(\.size)).sorted() }

  /// The exponents of the powers of ten that enclose all times, in microseconds.
  private var decades: ClosedRange<Int> {
    let times = curves.flatMap(\.points).map { log10($0.time * 1e6) }
    return Int(floor(times.min() ?? 0))...Int(ceil((times.max() ?? 1) + 0.001))
  }

  private func x(_ size: Int) -> Double {
    let (first, last) = (log10(Double(sizes.first ?? 1)), log10(Double(sizes.last ?? 10)))
    let share = (log10(Double(size)) - first) / max(last - first, 1e-9)
    return Self.plot.left + share * (Self.plot.right - Self.plot.left)
  }

  private func y(_ microseconds: Double) -> Double {
    let share =
      (log10(microseconds) - Double(decades.lowerBound))
      / Double(decades.upperBound - decades.lowerBound)
    return Self.plot.bottom - share * (Self.plot.bottom - Self.plot.top)
  }

  private var sizeLines: [String] {
    sizes.flatMap { size in
      [
        line(x(size), Self.plot.top, x(size), Self.plot.bottom, "#dddddd"),
        "<text x=\"\(tenths(x(size)))\" y=\"512\" text-anchor=\"middle\">"
          + "\(Figures.grouped(size))</text>",
      ]
    } + ["<text x=\"380\" y=\"540\" text-anchor=\"middle\">rows observed</text>"]
  }

  private var timeLines: [String] {
    decades.flatMap { decade -> [String] in
      let value = pow(10, Double(decade))
      return [
        line(Self.plot.left, y(value), Self.plot.right, y(value), "#dddddd"),
        "<text x=\"72\" y=\"\(tenths(y(value) + 4))\" text-anchor=\"end\">"
          + "\(Figures.time(value * 1e-6))</text>",
      ]
    }
  }

  private func lines(_ curve: Curve, _ index: Int) -> [String] {
    let colour = Self.colours[index % Self.colours.count]
    let points = curve.points.map { "\(tenths(x($0.size))),\(tenths(y($0.time * 1e6)))" }
    let legend = Self.plot.top + 14 + Double(index) * 22
    return [
      "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" points=\""
        + points.joined(separator: " ") + "\"/>",
      line(700, legend - 4, 724, legend - 4, colour),
      "<text x=\"732\" y=\"\(tenths(legend))\">\(curve.name)</text>",
    ]
  }

  private func line(
    _ x: Double, _ y: Double, _ endX: Double, _ endY: Double, _ colour: String
  ) -> String {
    "<line x1=\"\(tenths(x))\" y1=\"\(tenths(y))\" x2=\"\(tenths(endX))\" y2=\"\(tenths(endY))\""
      + " stroke=\"\(colour)\" stroke-width=\"\(colour == "#dddddd" ? 1 : 2)\"/>"
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
