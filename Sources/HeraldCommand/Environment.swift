import Glibc

/// The environment variables that the program honours.
struct Environment {
  /// A variable's value; nil when it is not set or empty, which mean the same to all of ours.
  func value(_ name: String) -> String? {
    guard let bytes = getenv(name) else { return nil }
    let value = String(cString: bytes)
    return value.isEmpty ? nil : value
  }

  /// One of the base folders of the XDG specification, which must be absolute.
  func folder(_ name: String, orInHome place: String) -> String? {
    if let folder = value(name), folder.hasPrefix("/") { return folder }
    return value("HOME").map { "\($0)/\(place)" }
  }

  /// Whether what goes to `descriptor` is coloured.
  func isColored(_ choice: ColorChoice, descriptor: Int32) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isatty(descriptor) == 1 && value("NO_COLOR") == nil && value("TERM") != "dumb"
    }
  }
}
