import NIOHTTP1

/// Who may do what: the checks of each request that need no store.
struct AccessRules: Sendable {
  /// Why a request is refused.
  struct Refusal: Equatable {
    let status: HTTPResponseStatus
    let message: String
  }

  private let token: [UInt8]?
  private let host: String
  private let origins: Set<String>

  init(_ settings: ServerSettings) {
    token = settings.token.map { Array($0.utf8) }
    host = settings.host.lowercased()
    origins = Set(settings.origins.map { $0.lowercased() })
  }

  /// Paths without anything of the store, which need no token, and that of WebSockets, whose first message may have it.
  private static let open: Set<String> = [
    "/", "/page.js", "/page.css", "/live.js", "/health", "/socket",
  ]
  /// What pages from elsewhere may load: it contains no data of the store.
  private static let shared: Set<String> = ["/live.js"]

  /// Returns nil if a request may be answered.
  func refusal(of head: HTTPRequestHead, path: String) -> Refusal? {
    guard let name = head.headers.first(name: "host"), head.headers["host"].count == 1 else {
      return Refusal(status: .badRequest, message: "a request needs one Host")
    }
    guard isKnown(host: name) else {
      return Refusal(
        status: .misdirectedRequest, message: "'\(name)' is not a name of this server")
    }
    if Self.shared.contains(path), head.method == .GET { return nil }
    if let refusal = refusalOfOrigin(head, host: name) { return refusal }
    if head.method == .OPTIONS || Self.open.contains(path) { return nil }
    return refusalOfToken(head)
  }

  /// A page of this server, one of an origin that was named, or no page.
  private func refusalOfOrigin(_ head: HTTPRequestHead, host: String) -> Refusal? {
    let given = head.headers["origin"]
    if let origin = given.first {
      let isSame = ["http://", "https://"].contains {
        origin.lowercased() == $0 + host.lowercased()
      }
      if given.count == 1, isSame || origins.contains(origin.lowercased()) { return nil }
      return Refusal(status: .forbidden, message: "pages of '\(origin)' may not use this server")
    }
    // Browsers leave out the origin where a page loads a picture or a script, but say that it is another's.
    let site = head.headers.first(name: "sec-fetch-site")
    let isNavigation =
      head.method == .GET && head.headers.first(name: "sec-fetch-mode") == "navigate"
    if site == "cross-site" || site == "same-site", !isNavigation {
      return Refusal(status: .forbidden, message: "pages from elsewhere may not use this server")
    }
    return nil
  }

  private func refusalOfToken(_ head: HTTPRequestHead) -> Refusal? {
    isAdmitted(head)
      ? nil : Refusal(status: .unauthorized, message: "this server needs its token")
  }

  /// Whether a request has the token, or needs none.
  func isAdmitted(_ head: HTTPRequestHead) -> Bool {
    guard token != nil else { return true }
    let given = head.headers["authorization"]
    let scheme = "bearer "
    return given.count == 1 && given[0].lowercased().hasPrefix(scheme)
      && isToken(String(given[0].dropFirst(scheme.count)))
  }

  /// Whether requests need a token.
  var needsToken: Bool { token != nil }

  /// Whether a text is the token. Takes the same time for all texts of a length.
  func isToken(_ text: String) -> Bool {
    guard let token, !token.isEmpty else { return false }
    let given = Array(text.utf8)
    var difference: UInt8 = given.count == token.count ? 0 : 1
    for (index, byte) in given.enumerated() { difference |= byte ^ token[index % token.count] }
    return difference == 0
  }

  /// Whether a `Host` names this server, and not another that a name server sent here.
  func isKnown(host text: String) -> Bool {
    var name = text.lowercased()[...]
    if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
      let rest = name[name.index(after: end)...]
      guard rest.isEmpty || Self.isPort(rest) else { return false }
      name = name[name.index(after: name.startIndex)..<end]
      guard ListenAddress.isIPv6(String(name)) else { return false }
    } else if let colon = name.lastIndex(of: ":") {
      guard Self.isPort(name[colon...]) else { return false }
      name = name[..<colon]
    }
    if name == host || name == "localhost" || name == "127.0.0.1" || name == "::1" { return true }
    if origins.contains(where: { $0.hasSuffix("://" + text.lowercased()) }) { return true }
    // A name server can only send names here, not numbers.
    return ListenAddress.isWildcard(host)
      && (ListenAddress.isIPv4(String(name)) || ListenAddress.isIPv6(String(name)))
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The headers that let a page of a named origin read an answer; none for other requests.
  func headers(for head: HTTPRequestHead) -> HTTPHeaders {
    guard let origin = head.headers.first(name: "origin"), origins.contains(origin.lowercased())
    else { return [:] }
    return ["Access-Control-Allow-Origin": origin, "Vary": "Origin"]
  }
}
