/// A bar of blocks, in eighths of a column of the terminal.
struct Bar {
  /// The width of the longest bar where there is room, and the smallest one where bars are shown, in columns.
  static let (widest, narrowest) = (40, 6)

  /// Which part of the longest bar it is.
  let share: Double

  /// The bar of one number beside that of the largest one.
  init(_ number: Int, beside largest: Int) {
    share = Double(number) / Double(max(largest, 1))
  }

  /// - Parameter width: that of the longest bar.
  func text(in width: Int) -> String {
    let eighths = share > 0 ? max(1, Int((share * Double(width) * 8).rounded())) : 0
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
