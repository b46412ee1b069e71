import Herald
import NIOCore
import NIOHTTP1

/// A whole answer to a request.
struct HTTPAnswer: Sendable {
  enum Content: String {
    case json = "application/json"
    /// A JSON value a line.
    case lines = "application/x-ndjson"
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
    case page = "text/html; charset=utf-8"
    case style = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
  }

  var status: HTTPResponseStatus
  var content: Content?
  var body: ByteBuffer
  var headers: HTTPHeaders

  init(
    _ status: HTTPResponseStatus, _ content: Content?, _ body: ByteBuffer,
    headers: HTTPHeaders = [:]
  ) {
    (self.status, self.content, self.body, self.headers) = (status, content, body, headers)
  }

  init(_ status: HTTPResponseStatus = .ok, _ content: Content, _ text: String) {
    self.init(status, content, ByteBuffer(string: text))
  }

  /// An error as the shell writes one, without a place in a text.
  static func error(
    _ status: HTTPResponseStatus, _ message: String, headers: HTTPHeaders = [:]
  ) -> HTTPAnswer {
    let text = "{\"error\":{\"message\":\(message.quoted)}}\n"
    return HTTPAnswer(status, .json, ByteBuffer(string: text), headers: headers)
  }
}
