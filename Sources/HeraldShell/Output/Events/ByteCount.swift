/// A human-readable number of bytes.
struct ByteCount {
  let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  /// `3 bytes`, `12 KiB`, `1.5 GiB`: at most one digit behind the point, and none from ten on.
  var text: String {
    guard bytes >= 1024 else { return "\(bytes) byte\(bytes == 1 ? "" : "s")" }
    var (size, unit) = (Double(bytes) / 1024, 0)
    let units = ["KiB", "MiB", "GiB", "TiB"]
    while size >= 1024, unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
    let tenths = Int((size * 10).rounded())
    let number =
      tenths >= 100 || tenths % 10 == 0 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(units[unit])"
  }
}
