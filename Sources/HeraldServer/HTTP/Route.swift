import Herald
import HeraldShell
import NIOCore
import NIOHTTP1

/// What a request asks for.
enum Route {
  case answer(HTTPAnswer)
  /// What the thread of the store makes, at the newest version.
  case store(@Sendable (Interpreter) -> HTTPAnswer)
  case metrics
  case live(String)

  /// The paths with their methods.
  static let methods: [String: HTTPMethod] = [
    "/": .GET, "/page.js": .GET, "/page.css": .GET, "/live.js": .GET, "/health": .GET,
    "/schema": .GET, "/log": .GET, "/query": .GET,
    "/complete": .GET, "/metrics": .GET, "/live": .GET, "/socket": .GET, "/write": .POST,
  ]

  /// The route of a request that may be answered.
  init(_ head: HTTPRequestHead, _ target: QueryParameters, body: ByteBuffer, isReadOnly: Bool) {
    guard let method = Self.methods[target.path] else {
      self = .answer(.error(.notFound, "there is no '\(target.path)'"))
      return
    }
    guard head.method == method else {
      self = .answer(
        .error(
          .methodNotAllowed, "'\(target.path)' takes \(method), not \(head.method)",
          headers: ["Allow": "\(method), OPTIONS"]))
      return
    }
    let known = Self.parameters[target.path] ?? []
    if let other = target.others(than: known).first {
      self = .answer(.error(.badRequest, "'\(target.path)' has no parameter '\(other)'"))
      return
    }
    switch target.path {
    case "/": self = .answer(PageFiles.page)
    case "/page.js": self = .answer(PageFiles.pageScript)
    case "/page.css": self = .answer(PageFiles.style)
    case "/live.js": self = .answer(PageFiles.script)
    case "/health":
      self = .store {
        HTTPAnswer(.ok, .json, "{\"ok\":true,\"version\":\($0.version ?? 0)}\n")
      }
    case "/metrics": self = .metrics
    case "/schema": self = Self.schema(target)
    case "/log": self = Self.log(target)
    case "/complete": self = Self.complete(target)
    case "/query": self = Self.query(target)
    case "/live": self = Self.live(target)
    case "/write": self = Self.write(head, body, isReadOnly: isReadOnly)
    case _: self = .answer(.error(.upgradeRequired, "'\(target.path)' is a WebSocket"))
    }
  }

  private static let parameters: [String: Set<String>] = [
    "/schema": ["at"], "/log": ["n", "version", "class"], "/complete": ["q"], "/query": ["q"],
    "/live": ["q", "value", "group", "sections", "after"],
  ]

  private static func wrong(_ message: String) -> Route { .answer(.error(.badRequest, message)) }

  // MARK: Reading

  private static func schema(_ target: QueryParameters) -> Route {
    guard let at = target["at"] else { return statement("schema", .json) }
    guard let version = Int(at) else { return wrong("'\(at)' is not a version") }
    return statement("schema at \(version)", .json)
  }

  private static func log(_ target: QueryParameters) -> Route {
    if let text = target["version"] {
      guard let version = Int(text) else { return wrong("'\(text)' is not a version") }
      return statement("log version \(version)", .json)
    }
    let count = target["n"] ?? "10"
    guard let count = Int(count), (0...10_000).contains(count) else {
      return wrong("'\(count)' is not a number of commits, at most 10000")
    }
    guard let className = target["class"] else { return statement("log \(count)", .json) }
    guard Interpreter.isVariableName(className) else {
      return wrong("'\(className)' is not the name of a class")
    }
    return statement("log \(count) \(className)", .json)
  }

  private static func query(_ target: QueryParameters) -> Route {
    guard let text = target["q"] else { return wrong("'/query' needs a query, as 'q'") }
    return statement(text, .lines)
  }

  private static func statement(_ text: String, _ content: HTTPAnswer.Content) -> Route {
    .store { interpreter in
      answer(interpreter.answer(Source(name: "query", text: text), .queries), content)
    }
  }

  private static func answer(
    _ answer: ServedAnswer, _ content: HTTPAnswer.Content
  ) -> HTTPAnswer {
    HTTPAnswer(answer.hasFailed ? .badRequest : .ok, content, answer.lines)
  }

  /// The completions of what is typed after `follow`.
  private static func complete(_ target: QueryParameters) -> Route {
    guard let text = target["q"] else { return wrong("'/complete' needs a text, as 'q'") }
    return .store { interpreter in
      let command = "follow "
      var context = interpreter.completionContext
      context.files = { _ in [] }
      let typed = command + text
      let found = completions(typed, cursor: typed.utf8.count, context).prefix(200).map {
        "{\"start\":\(max(0, $0.start - command.utf8.count)),\"text\":\($0.text.quoted)"
          + ",\"suffix\":\($0.suffix.quoted)}"
      }
      return HTTPAnswer(.ok, .json, "[\(found.joined(separator: ","))]\n")
    }
  }

  // MARK: Following and writing

  private static func live(_ target: QueryParameters) -> Route {
    let given = ["q", "value", "group"].compactMap { name in target[name].map { (name, $0) } }
    guard given.count == 1, let (name, text) = given.first else {
      return wrong("'/live' needs a query, as 'q', or 'value' or 'group'")
    }
    var query = name == "q" ? text : "\(name) \(text)"
    if let expression = target["sections"] {
      guard name == "q" else { return wrong("'sections' is only for 'q'") }
      query += " sections by \(expression)"
    }
    return .live(query)
  }

  /// What a page can send only to its own server, unless the server agrees.
  static let contentOfWrites = "application/x-herald"

  private static func write(
    _ head: HTTPRequestHead, _ body: ByteBuffer, isReadOnly: Bool
  ) -> Route {
    if isReadOnly { return .answer(.error(.forbidden, "the store is served read-only")) }
    let content = head.headers.first(name: "content-type") ?? ""
    let type = content.split(separator: ";").first?.filter { $0 != " " }.lowercased() ?? ""
    guard type == contentOfWrites else {
      return .answer(
        .error(
          .unsupportedMediaType,
          "statements are sent as '\(contentOfWrites)', not '\(content)'"))
    }
    guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
      return wrong("the statements are not UTF-8")
    }
    return .store { interpreter in
      let source = Source(name: "write", text: text)
      return answer(
        ServedStatements.isUndoing(text)
          ? interpreter.answer(source, .undoing)
          : interpreter.answer(source, .changes, inTransaction: true), .lines)
    }
  }
}
