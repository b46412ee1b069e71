import NIOCore

/// The connections of a server. Only their loop uses the set.
final class OpenConnections: @unchecked Sendable {
  private let loop: any EventLoop
  private var channels: [ObjectIdentifier: any Channel] = [:]

  init(_ loop: any EventLoop) { self.loop = loop }

  func insert(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = channel }

  func remove(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = nil }

  /// Closes them; may be called on any thread but that of the loop.
  func closeAll() -> EventLoopFuture<Void> {
    loop.flatSubmit { [self] in
      EventLoopFuture.andAllComplete(channels.values.map { $0.close() }, on: loop)
    }
  }
}
