import Glibc

/// A chart of ratios on a logarithmic axis, a line for each row and a point for each series.
struct RatioPicture {
  struct Row {
    let name: String
    /// One for each series, if it has one.
    let ratios: [Double?]
  }

  let title: String
  let series: [String]
  let rows: [Row]

  private static let width = 960.0
  private static let plot = (left: 330.0, right: 930.0, top: 84.0)
  private static let lineHeight = 22.0

  private var bottom: Double { Self.plot.top + Double(rows.count) * Self.lineHeight }

  /// The exponents of the powers of ten that enclose all ratios and 1.
  private var decades: ClosedRange<Int> {
    let exponents = rows.flatMap(\.ratios).compactMap { $0.map(log10) }
    return min(-1, Int(floor(exponents.min() ?? 0)))...max(1, Int(ceil(exponents.max() ?? 0)))
  }

  private func x(_ ratio: Double) -> Double {
    let share =
      (log10(ratio) - Double(decades.lowerBound))
      / Double(decades.upperBound - decades.lowerBound)
    return Self.plot.left + share * (Self.plot.right - Self.plot.left)
  }

  /// An SVG document.
  var text: String {
    var lines: [String] = []
    for (index, name) in series.enumerated() {
      let left = Self.plot.left + Double(index) * 140
      lines.append(SVG.point(left, 50, SVG.colours[index]))
      lines.append(SVG.text(left + 10, 54, name))
    }
    for decade in decades {
      let ratio = pow(10, Double(decade))
      let colour = decade == 0 ? "#333333" : SVG.faint
      lines.append(SVG.line(x(ratio), Self.plot.top, x(ratio), bottom, colour))
      let label = decade < 0 ? "1/\(Figures.grouped(Int(1 / ratio)))" : Figures.grouped(Int(ratio))
      lines.append(SVG.text(x(ratio), bottom + 18, label, anchor: "middle"))
    }
    for (index, row) in rows.enumerated() { lines += self.lines(row, index) }
    return SVG.document(
      width: Self.width, height: bottom + 32, title: title, titleLeft: 12, lines)
  }

  private func lines(_ row: Row, _ index: Int) -> [String] {
    let y = Self.plot.top + (Double(index) + 0.5) * Self.lineHeight
    return [
      SVG.line(Self.plot.left, y, Self.plot.right, y, SVG.faint),
      SVG.text(Self.plot.left - 10, y + 4, row.name, anchor: "end"),
    ]
      + row.ratios.enumerated().compactMap { series, ratio in
        ratio.map { SVG.point(x($0), y, SVG.colours[series]) }
      }
  }
}
