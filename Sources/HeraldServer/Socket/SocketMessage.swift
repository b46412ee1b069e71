/// What a reader sends on a WebSocket, as text.
///
///     token 0123456789abcdef           first, where the server needs a token
///     follow 1 Dog sort(age)           a number of the reader's own, and a query
///     resume 1 42 Dog sort(age)        the same, after version 42
///     end 1
enum SocketMessage: Equatable {
  case token(String)
  case follow(Int, String, after: Int?)
  case end(Int)

  /// nil if it is none of these.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2 else { return nil }
    var rest = words[1]
    /// The number that the rest begins with.
    func number() -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      if rest.first == " " { rest = rest.dropFirst() } else if !rest.isEmpty { return nil }
      return Int(digits)
    }
    switch words[0] {
    case "token": self = .token(String(rest))
    case "follow":
      guard let id = number(), !rest.isEmpty else { return nil }
      self = .follow(id, String(rest), after: nil)
    case "resume":
      guard let id = number(), let version = number(), !rest.isEmpty else { return nil }
      self = .follow(id, String(rest), after: version)
    case "end":
      guard let id = number(), rest.isEmpty else { return nil }
      self = .end(id)
    case _: return nil
    }
  }
}
