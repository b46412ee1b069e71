import NIOCore

/// One query of a WebSocket.
final class SocketReader: LiveReader {
  private let id: Int
  private let socket: NIOLoopBound<QuerySocket>
  private let context: NIOLoopBound<ChannelHandlerContext>
  private let server: ServerCore
  private var reading: LiveReading?
  private var hasLeft = false

  init(
    _ id: Int, _ socket: NIOLoopBound<QuerySocket>, _ context: NIOLoopBound<ChannelHandlerContext>,
    _ server: ServerCore
  ) {
    (self.id, self.socket, self.context, self.server) = (id, socket, context, server)
  }

  var isOpen: Bool { !hasLeft && context.value.channel.isActive }

  func begin(_ reading: LiveReading, _ event: LiveEvent?) {
    self.reading = reading
    if let event { socket.value.send(id, event, isFirst: true, context.value) }
  }

  func receive(_ event: LiveEvent) { socket.value.send(id, event, isFirst: false, context.value) }

  func receive(version: Int) { socket.value.send(id, "\"version\":\(version)", context.value) }

  func fail(_ failure: LiveFailure) {
    guard isOpen else { return }
    socket.value.forget(id, context.value)
    switch failure {
    case .wrongQuery(let line), .tooSlow(let line):
      // The line is an object with one member.
      socket.value.send(id, String(line.dropFirst().dropLast()), context.value)
    case .tooMany: socket.value.fail(id, LiveFailure.tooManyMessage, context.value)
    }
  }

  func end() {
    reading = nil
    guard isOpen else { return }
    socket.value.forget(id, context.value)
    socket.value.send(id, "\"end\":true", context.value)
  }

  /// Ends the reading, if it has begun; otherwise as soon as it begins.
  func leave() {
    hasLeft = true
    if let reading { server.hub.leave(reading) }
    reading = nil
  }
}
