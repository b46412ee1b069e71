import Herald
import OtherProcess

@testable import TestModel

/// Sessions of the library; also in another process where the store is a file.
final class LibraryLevel: ModelLevel {
  private let store: DynamicStore
  private var isFirst = true

  init(_ store: DynamicStore) { self.store = store }

  func declare(_ schema: ModelSchema) throws -> [ClassID] {
    for definition in schema.definitions { try store.declare(definition) }
    for projection in schema.projectionDefinitions { try store.declare(projection) }
    return schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
  }

  var abilities: Set<ModelAbility> {
    let always: Set<ModelAbility> = [.blocksAct, .tellsAtOnce, .nests, .closes]
    return store.path == nil ? always : always.union([.hasOtherProcess])
  }

  var version: Int { store.version }

  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) throws -> (link: any ModelLink, version: Int) {
    if isRemote, let path = store.path {
      let remote = try RemoteSession(path, callBack)
      return (remote, remote.version)
    }
    defer { isFirst = false }
    let session = isFirst ? store : try store.newSession(named: name)
    return (LibrarySession(session, callBack), session.version)
  }
}
