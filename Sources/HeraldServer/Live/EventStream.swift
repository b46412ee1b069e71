import NIOCore
import NIOHTTP1
import Synchronization

/// A reader of server-sent events.
final class EventStream: LiveReader {
  private let connection: NIOLoopBound<HTTPConnection>
  private let context: NIOLoopBound<ChannelHandlerContext>
  private let head: HTTPRequestHead
  private let server: ServerCore
  private var reading: LiveReading?
  private var backlog = EventBacklog()

  init(
    _ connection: NIOLoopBound<HTTPConnection>, _ context: NIOLoopBound<ChannelHandlerContext>,
    _ head: HTTPRequestHead, _ server: ServerCore
  ) {
    (self.connection, self.context, self.head, self.server) = (connection, context, head, server)
  }

  var isOpen: Bool { context.value.channel.isActive }

  func begin(_ reading: LiveReading, _ event: LiveEvent?) {
    guard connection.value.beginStream(head, context.value) else {
      return server.hub.leave(reading)
    }
    self.reading = reading
    let bound = NIOLoopBound(self, eventLoop: context.value.eventLoop)
    context.value.channel.closeFuture.whenComplete { _ in bound.value.leave() }
    if let event { return write(event.stream) }
    context.value.flush()
  }

  func receive(_ event: LiveEvent) {
    server.counters.sentEvents.add(1, ordering: .relaxed)
    send(event.stream)
  }

  /// An event without data sets the version that a browser sends when it continues.
  func receive(version: Int) { send(ByteBuffer(string: "id: \(version)\n\n")) }

  func fail(_ failure: LiveFailure) { connection.value.fail(failure, head, context.value) }

  func end() {
    context.value.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
    context.value.close(promise: nil)
  }

  private func send(_ buffer: ByteBuffer) {
    let channel = context.value.channel
    guard channel.isActive else { return }
    if backlog.isExceeded(by: buffer.readableBytes, channel, server.settings.limits) {
      server.counters.droppedReaders.add(1, ordering: .relaxed)
      return context.value.close(promise: nil)
    }
    write(buffer)
  }

  private func write(_ buffer: ByteBuffer) {
    server.counters.sentBytes.add(buffer.readableBytes, ordering: .relaxed)
    context.value.writeAndFlush(
      NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))), promise: nil)
  }

  private func leave() {
    guard let reading else { return }
    self.reading = nil
    server.hub.leave(reading)
  }
}
