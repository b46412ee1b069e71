import Herald

extension Interpreter {
  /// Who holds which version of the store since when, and what that costs.
  func listReaders(_ context: Context) throws {
    let readers = try store(context).readers
    emit(
      .answer(
        readers.isEmpty ? ["nobody holds a version"] : readers.map(\.line),
        .list(readers.map(\.output))))
  }
}

extension StoreReader {
  fileprivate var line: String {
    let name = session.map { isFrozen ? "frozen by \($0)" : $0 } ?? "a reader without a name"
    let time = since.map { " since \($0.iso8601)" } ?? ""
    return "process \(process), \(name): version \(version)\(time), keeps \(ByteCount(bytes).text)"
  }

  fileprivate var output: OutputValue {
    .map([
      OutputValue.Field(name: "process", value: .plain(.int(process))),
      OutputValue.Field(name: "session", value: .plain(session.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "version", value: .plain(.int(version))),
      OutputValue.Field(name: "since", value: .plain(since.map { .date($0) } ?? .null)),
      OutputValue.Field(name: "frozen", value: .plain(.bool(isFrozen))),
      OutputValue.Field(name: "bytes", value: .plain(.int(bytes))),
    ])
  }
}

/// A number of bytes as people read it.
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
