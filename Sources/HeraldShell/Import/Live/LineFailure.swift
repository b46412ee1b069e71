/// A line that cannot be added.
struct LineFailure: Error {
  /// How many of the lines of its batch come before it; nil if that is not known.
  var line: Int?
  var reason: String

  init(reason: String) { self.reason = reason }

  /// Reads `line 12, record 3, property 'age'`, the position in lines with a header before them, which may be empty.
  init(_ position: String, _ reason: String, header: [UInt8]) {
    let digits = position.dropFirst("line ".utf8.count).prefix { $0.isASCII && $0.isNumber }
    line = Int(digits).map { $0 - 1 - (header.isEmpty ? 0 : 1) }
    let property = position.firstRange(of: ", property ").map { position[$0.lowerBound...] } ?? ""
    self.reason = (property.isEmpty ? "" : "\(property.dropFirst(2)): ") + reason
  }
}
