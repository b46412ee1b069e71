import Glibc

/// The elements of pictures.
enum SVG {
  static let colours = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2",
    "#7f7f7f", "#bcbd22", "#003f5c", "#a05195", "#665191", "#f95d6a",
  ]
  /// The colour of the lines of a scale.
  static let faint = "#dddddd"

  static func document(
    width: Double, height: Double, title: String, titleLeft: Double, _ lines: [String]
  ) -> String {
    let head = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
        + "font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      "<text x=\"\(titleLeft)\" y=\"32\" font-size=\"17\">\(title)</text>",
    ]
    return (head + lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  static func line(
    _ x: Double, _ y: Double, _ endX: Double, _ endY: Double, _ colour: String
  ) -> String {
    "<line x1=\"\(tenths(x))\" y1=\"\(tenths(y))\" x2=\"\(tenths(endX))\" y2=\"\(tenths(endY))\""
      + " stroke=\"\(colour)\" stroke-width=\"\(colour == faint ? 1 : 2)\"/>"
  }

  static func text(_ x: Double, _ y: Double, _ text: String, anchor: String? = nil) -> String {
    let anchor = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
    let escaped = text.split(separator: ">", omittingEmptySubsequences: false)
      .joined(separator: "&gt;")
    return "<text x=\"\(tenths(x))\" y=\"\(tenths(y))\"\(anchor)>\(escaped)</text>"
  }

  static func point(_ x: Double, _ y: Double, _ colour: String) -> String {
    "<circle cx=\"\(tenths(x))\" cy=\"\(tenths(y))\" r=\"5\" fill=\"\(colour)\"/>"
  }

  static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// Writes a file; returns false on failure.
  static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let isWritten = fputs(text, file) >= 0
    return fclose(file) == 0 && isWritten
  }
}
