import HeraldEngine
import OtherProcess

@testable import Herald
@testable import TestModel

/// Sessions of the library; also in another process where the store is a file.
final class LibraryLevel: ModelLevel {
  let store: DynamicStore
  private let hasShortLog: Bool
  private var isFirst = true

  /// `hasShortLog`: the other process is a session of this one that shares no commits in memory.
  init(_ store: DynamicStore, hasShortLog: Bool = false) {
    (self.store, self.hasShortLog) = (store, hasShortLog)
    if hasShortLog { store.session.keepLog(entries: 1) }
  }

  func declare(_ schema: ModelSchema) throws -> [ClassID] {
    for definition in schema.definitions { try store.declare(definition) }
    for projection in schema.projectionDefinitions { try store.declare(projection) }
    return schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
  }

  var abilities: Set<ModelAbility> {
    let always: Set<ModelAbility> = [.blocksAct, .notifiesAtOnce, .nests, .closes]
    // Another process, or a session like one of its own, has no part in the stream that the store follows.
    if store.session.hub.replicator != nil { return always }
    if hasShortLog { return always.union([.hasOtherProcess, .hasShortLog]) }
    return store.path == nil ? always : always.union([.hasOtherProcess])
  }

  var version: Int { store.version }

  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) throws -> (link: any ModelLink, version: Int) {
    if isRemote, hasShortLog {
      let session = DynamicStore(try store.session.apart(), named: name)
      return (LibrarySession(session, rests: false, callBack), session.version)
    }
    if isRemote, let path = store.path {
      let remote = try RemoteSession(path, callBack)
      return (remote, remote.version)
    }
    defer { isFirst = false }
    let session = isFirst ? store : try store.newSession(named: name)
    // The filters of one session are folded whenever nothing is pending, those of the others once.
    if isFirst { session.session.observatory.unfoldedLimit = 0 }
    return (LibrarySession(session, rests: !hasShortLog, callBack), session.version)
  }
}
