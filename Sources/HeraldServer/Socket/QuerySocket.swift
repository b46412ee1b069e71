import Herald
import NIOCore
import NIOWebSocket
import Synchronization

/// A WebSocket on which a reader follows many queries.
///
/// Each message to the reader is a JSON object with the `id` of the query: an `event` with its `version`, a `version`
/// alone, an `error`, or an `end`.
final class QuerySocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let server: ServerCore
  /// Whether the reader has the token.
  private var isAdmitted: Bool
  private var readers: [Int: SocketReader] = [:]
  private var backlog = EventBacklog()
  /// Closes a socket on which nothing is followed.
  private var timer: Scheduled<Void>?

  init(_ server: ServerCore, isAdmitted: Bool) {
    self.server = server
    self.isAdmitted = isAdmitted
  }

  func handlerAdded(context: ChannelHandlerContext) { startTimer(context) }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  private func startTimer(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let limits = server.settings.limits
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let time = Int64(isAdmitted ? limits.idle : limits.request)
    timer = context.eventLoop.scheduleTask(in: .milliseconds(time)) {
      bound.value.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    for reader in readers.values { reader.leave() }
    readers = [:]
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self)
      guard let message = text.flatMap({ SocketMessage($0) }) else {
        return refuse("no message that is known", context)
      }
      receive(message, context)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    case .pong: break
    case _: refuse("a message is text", context)
    }
  }

  private func receive(_ message: SocketMessage, _ context: ChannelHandlerContext) {
    switch message {
    case .token(let token):
      guard !server.access.needsToken || server.access.isToken(token) else {
        server.counters.refusals.add(1, ordering: .relaxed)
        return refuse("this is not the token of this server", context)
      }
      isAdmitted = true
      startTimer(context)
    case .follow, .end:
      guard isAdmitted else {
        server.counters.refusals.add(1, ordering: .relaxed)
        return refuse("this server needs its token", context)
      }
    }
    if case .follow(let id, let query, let version) = message {
      follow(id, query, after: version, context)
    }
    if case .end(let id) = message { end(id, context) }
  }

  private func follow(
    _ id: Int, _ query: String, after version: Int?, _ context: ChannelHandlerContext
  ) {
    guard readers[id] == nil else { return fail(id, "'\(id)' is followed already", context) }
    guard readers.count < server.settings.limits.queriesOfConnection else {
      return fail(id, LiveFailure.tooManyMessage, context)
    }
    timer?.cancel()
    let reader = SocketReader(
      id, NIOLoopBound(self, eventLoop: context.eventLoop),
      NIOLoopBound(context, eventLoop: context.eventLoop), server)
    readers[id] = reader
    server.hub.join(query, after: version, reader)
  }

  private func end(_ id: Int, _ context: ChannelHandlerContext) {
    guard let reader = readers.removeValue(forKey: id) else { return }
    reader.leave()
    if readers.isEmpty { startTimer(context) }
  }

  /// Forgets a query that has ended by itself.
  func forget(_ id: Int, _ context: ChannelHandlerContext) {
    readers[id] = nil
    if readers.isEmpty { startTimer(context) }
  }

  // MARK: Messages to the reader

  func fail(_ id: Int, _ message: String, _ context: ChannelHandlerContext) {
    send(id, "\"error\":{\"message\":\(message.quoted)}", context)
  }

  /// Sends what an object has besides the number of its query.
  func send(_ id: Int, _ members: String, _ context: ChannelHandlerContext) {
    send(.text, ByteBuffer(string: "{\"id\":\(id),\(members)}"), context)
  }

  func send(_ id: Int, _ event: LiveEvent, isFirst: Bool, _ context: ChannelHandlerContext) {
    var message = ByteBuffer()
    message.reserveCapacity(event.json.readableBytes + 64)
    message.writeString("{\"id\":\(id),\"version\":\(event.version),\"event\":")
    message.writeImmutableBuffer(event.json)
    message.writeString("}")
    server.counters.sentEvents.add(isFirst ? 0 : 1, ordering: .relaxed)
    server.counters.sentBytes.add(message.readableBytes, ordering: .relaxed)
    if !isFirst,
      backlog.isExceeded(by: message.readableBytes, context.channel, server.settings.limits)
    {
      server.counters.droppedReaders.add(1, ordering: .relaxed)
      return context.close(promise: nil)
    }
    send(.text, message, context)
  }

  private func refuse(_ message: String, _ context: ChannelHandlerContext) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: .policyViolation)
    data.writeString(message)
    send(.connectionClose, data, context)
    context.close(promise: nil)
  }

  private func send(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    context.writeAndFlush(
      wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }
}
