import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A store over HTTP.
///
///     let server = try Server(ServerSettings(store: "pets.hdb"))
///     print(server.port)
///     server.stop()
///
/// It has three threads: one for connections, one that follows queries, and one that runs statements.
package final class Server {
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  private let following: StoreThread
  private let statements: StoreThread
  private let connections: OpenConnections
  private let hub: LiveHub
  private let tasks: [RepeatedTask]
  /// Where it listens.
  package let host: String
  package let port: Int

  /// Opens the store, and listens. Errors: the store cannot be opened, or the address not be listened at.
  package init(_ settings: ServerSettings) throws(ServerFailure) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    connections = OpenConnections(loop)
    hub = LiveHub(settings, connections: loop, ServerCounters())
    do throws(ServerFailure) {
      following = try StoreThread(settings) { [hub] in hub.commitArrived() }
      hub.begin(following)
      statements = try StoreThread(settings)
    } catch {
      try? group.syncShutdownGracefully()
      throw error
    }
    let core = ServerCore(settings, hub, statements)
    do {
      channel = try Self.bootstrap(group, core, connections).bind(
        host: settings.host, port: settings.port
      )
      .wait()
    } catch {
      following.stop()
      statements.stop()
      try? group.syncShutdownGracefully()
      throw ServerFailure("cannot listen at \(settings.host):\(settings.port): \(error)")
    }
    host = settings.host
    port = channel.localAddress?.port ?? settings.port
    self.group = group
    let parts = max(1, settings.limits.heartbeat / Self.beat)
    tasks = [
      following.watch(on: loop), statements.watch(on: loop),
      loop.scheduleRepeatedTask(
        initialDelay: .milliseconds(Int64(Self.beat)), delay: .milliseconds(Int64(Self.beat))
      ) { [hub] _ in hub.beatOnce(of: parts) },
    ]
  }

  /// The time between two beats, each for a part of the readers, in milliseconds.
  private static let beat = 250

  /// Closes the connections and the store.
  package func stop() {
    for task in tasks { task.cancel() }
    try? channel.close().wait()
    // The threads of the store are given what the connections leave, and the loop what the threads have made.
    hub.end()
    try? connections.closeAll().wait()
    try? group.next().submit {}.wait()
    following.stop()
    statements.stop()
    try? group.syncShutdownGracefully()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ core: ServerCore, _ connections: OpenConnections
  ) -> ServerBootstrap {
    let limit = core.settings.limits.connections
    let counters = core.counters
    return ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1_024, maximum: 65_536)
      )
      .childChannelInitializer { channel in
        guard counters.connections.load(ordering: .relaxed) < limit else {
          return channel.eventLoop.makeFailedFuture(ServerFailure("too many connections"))
        }
        counters.connections.add(1, ordering: .relaxed)
        connections.insert(channel)
        channel.closeFuture.whenComplete { _ in
          connections.remove(channel)
          counters.connections.subtract(1, ordering: .relaxed)
        }
        return channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel, core) }
      }
  }

  private static func addHandlers(to channel: any Channel, _ core: ServerCore) throws {
    let pipeline = channel.pipeline.syncOperations
    let connection = HTTPConnection(core)
    let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
    let limit = core.settings.limits.body
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: limit,
      shouldUpgrade: { channel, head in
        let path = QueryParameters(head.uri)?.path
        let isServed = path == "/socket" && core.access.refusal(of: head, path: "/socket") == nil
        return channel.eventLoop.makeSucceededFuture(isServed ? [:] : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          pipeline.removeHandler(bound.value).whenFailure { _ in channel.close(promise: nil) }
          try pipeline.addHandlers(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: limit),
            QuerySocket(core, isAdmitted: core.access.isAdmitted(head)))
        }
      })
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    try pipeline.addHandler(connection)
  }

  /// Lets this process have as many connections as the system allows it.
  package static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
