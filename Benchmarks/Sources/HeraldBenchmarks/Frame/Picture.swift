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
  /// An SVG document.
  var text: String {
    var lines = sizeLines + timeLines
    for (index, curve) in curves.enumerated() { lines += self.lines(curve, index) }
    return SVG.document(
      width: Self.width, height: Self.height, title: title, titleLeft: Self.plot.left, lines)
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
        SVG.line(x(size), Self.plot.top, x(size), Self.plot.bottom, SVG.faint),
        SVG.text(x(size), 512, Figures.grouped(size), anchor: "middle"),
      ]
    } + [SVG.text(380, 540, "rows observed", anchor: "middle")]
  }

  private var timeLines: [String] {
    decades.flatMap { decade -> [String] in
      let value = pow(10, Double(decade))
      return [
        SVG.line(Self.plot.left, y(value), Self.plot.right, y(value), SVG.faint),
        SVG.text(72, y(value) + 4, Figures.time(value * 1e-6), anchor: "end"),
      ]
    }
  }

  private func lines(_ curve: Curve, _ index: Int) -> [String] {
    let colour = SVG.colours[index % SVG.colours.count]
    let points = curve.points.map { "\(SVG.tenths(x($0.size))),\(SVG.tenths(y($0.time * 1e6)))" }
    let legend = Self.plot.top + 14 + Double(index) * 22
    return [
      "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" points=\""
        + points.joined(separator: " ") + "\"/>",
      SVG.line(700, legend - 4, 724, legend - 4, colour),
      SVG.text(732, legend, curve.name),
    ]
  }
}
