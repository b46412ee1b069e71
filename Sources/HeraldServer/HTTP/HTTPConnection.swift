import HeraldShell
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// A connection: one request after the other, of which the last may be a stream of events.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// What the connection is doing. Only its loop touches it.
  private enum State {
    /// Between requests, and before the first one.
    case idle
    case receiving(HTTPRequestHead, ByteBuffer)
    /// The rest of a request that was answered early is dropped; then the connection closes.
    case refused
    /// An answer is being made.
    case answering
    /// Events are sent until either side closes.
    case streaming
    case closed
  }

  private let server: ServerCore
  private var state = State.idle
  /// Closes the connection when a request takes too long to arrive, or none arrives.
  private var timer: Scheduled<Void>?

  init(_ server: ServerCore) { self.server = server }

  // MARK: Channel

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { channelActive(context: context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelActive(context: ChannelHandlerContext) {
    if timer == nil { startTimer(server.settings.limits.request, context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    state = .closed
    timer?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request for a WebSocket that is refused comes here, and is answered.
    if error is NIOWebSocketUpgradeError { return }
    // A reader that has left, or what is no HTTP, which the handler before this one has answered.
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let part): add(part, context)
    case .end: end(context)
    }
  }

  private func startTimer(_ milliseconds: Int, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
      bound.value.close(promise: nil)
    }
  }

  // MARK: Requests

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    server.counters.requests.add(1, ordering: .relaxed)
    startTimer(server.settings.limits.request, context)
    guard head.uri.utf8.count <= server.settings.limits.target else {
      return refuse(.error(.uriTooLong, "the path is too long"), head, context)
    }
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard length <= server.settings.limits.body else { return refuse(tooLong, head, context) }
    state = .receiving(head, ByteBuffer())
    if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: .continue))),
        promise: nil)
    }
  }

  private func add(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(let head, var body) = state else { return }
    state = .answering
    guard body.readableBytes + part.readableBytes <= server.settings.limits.body else {
      return refuse(tooLong, head, context)
    }
    body.writeImmutableBuffer(part)
    state = .receiving(head, body)
  }

  private var tooLong: HTTPAnswer {
    .error(.payloadTooLarge, "a request has at most \(server.settings.limits.body) bytes")
  }

  private func end(_ context: ChannelHandlerContext) {
    guard case .receiving(let head, let body) = state else { return }
    timer?.cancel()
    state = .answering
    guard head.uri.hasPrefix("/"), let target = QueryParameters(head.uri) else {
      return answer(.error(.badRequest, "'\(head.uri)' is not a path"), head, context)
    }
    if let refusal = server.access.refusal(of: head, path: target.path) {
      server.counters.refusals.add(1, ordering: .relaxed)
      let headers: HTTPHeaders =
        refusal.status == .unauthorized ? ["WWW-Authenticate": "Bearer"] : [:]
      return answer(.error(refusal.status, refusal.message, headers: headers), head, context)
    }
    if head.method == .OPTIONS { return answer(server.preflight(head), head, context) }
    let route = Route(head, target, body: body, isReadOnly: server.settings.isReadOnly)
    switch route {
    case .answer(let made): answer(made, head, context)
    case .metrics:
      answer(head, context) { [counters = server.counters] in
        HTTPAnswer(.ok, .metrics, counters.text(version: $0.version ?? 0))
      }
    case .store(let make): answer(head, context, make)
    case .live(let query):
      guard let version = Self.version(head, target) else {
        return answer(
          .error(.badRequest, "Last-Event-ID is not a version"), head, context)
      }
      let stream = EventStream(
        NIOLoopBound(self, eventLoop: context.eventLoop),
        NIOLoopBound(context, eventLoop: context.eventLoop), head, server)
      server.hub.join(query, after: version, stream)
    }
  }

  /// The version that a reader has: nil in the outer optional if it is none, in the inner one if the reader has none.
  private static func version(_ head: HTTPRequestHead, _ target: QueryParameters) -> Int?? {
    guard let text = head.headers.first(name: "last-event-id") ?? target["after"], !text.isEmpty
    else { return .some(nil) }
    guard let version = Int(text), version >= 0 else { return nil }
    return .some(version)
  }

  // MARK: Answers

  /// Answers what the thread of the store makes.
  private func answer(
    _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
    _ make: @escaping @Sendable (Interpreter) -> HTTPAnswer
  ) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let isTaken = server.perform { [counters = server.counters] interpreter in
      let answer = make(interpreter)
      if answer.status.code >= 400 { counters.failures.add(1, ordering: .relaxed) }
      bound.eventLoop.execute {
        let (connection, context) = bound.value
        connection.answer(answer, head, context)
      }
    }
    if isTaken { return }
    answer(
      .error(.serviceUnavailable, "too many requests wait", headers: ["Retry-After": "1"]), head,
      context)
  }

  /// Answers before the request has arrived as a whole, and closes.
  private func refuse(
    _ refusal: HTTPAnswer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    state = .refused
    var head = head
    head.headers.replaceOrAdd(name: "connection", value: "close")
    write(refusal, head, context)
  }

  private func answer(
    _ answer: HTTPAnswer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    guard case .answering = state else { return }
    state = .idle
    write(answer, head, context)
    if context.channel.isActive, head.isKeepAlive {
      startTimer(server.settings.limits.idle, context)
    }
  }

  private func write(
    _ answer: HTTPAnswer, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    var headers = self.headers(for: head)
    headers.add(contentsOf: answer.headers)
    if let content = answer.content { headers.add(name: "Content-Type", value: content.rawValue) }
    headers.add(name: "Content-Length", value: String(answer.body.readableBytes))
    if !head.isKeepAlive { headers.add(name: "Connection", value: "close") }
    context.write(
      wrapOutboundOut(
        .head(HTTPResponseHead(version: head.version, status: answer.status, headers: headers))),
      promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if !head.isKeepAlive { bound.value.close(promise: nil) }
    }
  }

  private func headers(for head: HTTPRequestHead) -> HTTPHeaders {
    var headers = server.access.headers(for: head)
    headers.add(name: "X-Content-Type-Options", value: "nosniff")
    headers.add(name: "Cache-Control", value: "no-store")
    headers.add(name: "Referrer-Policy", value: "no-referrer")
    return headers
  }

  // MARK: Streams

  /// Begins a stream of events; returns false if the connection is closed.
  func beginStream(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
    guard case .answering = state else { return false }
    state = .streaming
    var headers = headers(for: head)
    headers.add(name: "Content-Type", value: "text/event-stream")
    // A proxy that collects what it passes on would delay events.
    headers.add(name: "X-Accel-Buffering", value: "no")
    context.write(
      wrapOutboundOut(
        .head(HTTPResponseHead(version: head.version, status: .ok, headers: headers))),
      promise: nil)
    return true
  }

  /// Answers with the reason why a query is not followed.
  func fail(_ failure: LiveFailure, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    server.counters.failures.add(1, ordering: .relaxed)
    switch failure {
    case .wrongQuery(let line):
      answer(HTTPAnswer(.badRequest, .json, line + "\n"), head, context)
    case .tooSlow(let line):
      answer(HTTPAnswer(.serviceUnavailable, .json, line + "\n"), head, context)
    case .tooMany:
      answer(
        .error(
          .serviceUnavailable, LiveFailure.tooManyMessage, headers: ["Retry-After": "5"]), head,
        context)
    }
  }
}
