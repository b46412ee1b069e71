public import Dispatch
@_exported public import Herald

extension DynamicStore {
  /// Opens a store that many machines share, as `Store(replicated:cache:objectTypes:)` does.
  package convenience init(replicated stream: NATSStream, cache: String? = nil) throws {
    let opening = try StreamOpening(stream, cache)
    try self.init(path: opening.cache)
    try opening.begin(self)
  }
}

extension Store {
  /// Opens a store that many machines share. Each has all of it in a file of its own and follows one stream, which
  /// decides the order of commits.
  ///
  ///     let store = try Store(replicated: NATSStream("pets", servers: ["nats://one:4222"]), cache: "pets.hdb")
  ///
  /// Queries, live views and observers cost what they cost without a stream. A transaction is committed as soon as the
  /// majority of the stream's servers has it; if another machine was faster, its block runs again, at most five times,
  /// and then `write` throws `raceLost`. Where the servers cannot be reached, reading goes on and writing throws
  /// `notConnected`.
  ///
  /// - Parameters:
  ///   - stream: The stream, which is made if it does not exist.
  ///   - cache: The file of this machine; nil for a temporary one, which ends with the process. Programs of one machine
  ///     may share a file.
  ///   - objectTypes: The classes that are taken into the store.
  ///
  /// Errors: `notConnected` without servers and without a file; `otherStream` for a file that has another store;
  /// `replication` for what is wrong with the stream; those of `init(path:)`.
  public convenience init(
    replicated stream: NATSStream, cache: String? = nil, objectTypes: [ObjectBase.Type] = []
  ) throws {
    let opening = try StreamOpening(stream, cache)
    try self.init(path: opening.cache)
    try opening.begin(untyped)
    try take(objectTypes)
  }

  /// Opens a store that many machines share for a serial queue.
  public convenience init(
    replicated stream: NATSStream, cache: String? = nil, on queue: DispatchQueue,
    objectTypes: [ObjectBase.Type] = []
  ) throws {
    let opening = try StreamOpening(stream, cache)
    try self.init(path: opening.cache, on: queue)
    try opening.begin(untyped)
    try take(objectTypes)
  }

  /// Opens a store that many machines share for an actor, which must be the caller's.
  public convenience init(
    replicated stream: NATSStream, cache: String? = nil, on actor: any Actor,
    objectTypes: [ObjectBase.Type] = []
  ) throws {
    let opening = try StreamOpening(stream, cache)
    try self.init(path: opening.cache, on: actor)
    try opening.begin(untyped)
    try take(objectTypes)
  }
}
