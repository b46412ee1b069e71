import Glibc

/// The environment variables that the program reads.
struct Environment {
  /// Returns a variable's value; nil if it is unset or empty, which are equivalent for all of them.
  func value(_ name: String) -> String? {
    guard let bytes = getenv(name) else { return nil }
    let value = String(cString: bytes)
    return value.isEmpty ? nil : value
  }

  /// Returns one of the base folders of the XDG specification, which must be absolute.
  func folder(_ name: String, orInHome path: String) -> String? {
    if let folder = value(name), folder.hasPrefix("/") { return folder }
    return value("HOME").map { "\($0)/\(path)" }
  }

  /// Returns whether output to `descriptor` is coloured.
  func isColored(_ choice: ColorChoice, descriptor: Int32) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isatty(descriptor) == 1 && value("NO_COLOR") == nil && value("TERM") != "dumb"
    }
  }
}
