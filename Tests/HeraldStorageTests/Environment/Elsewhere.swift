import Glibc

@testable import HeraldStorage

/// A store as another program would have it open, which knows nothing of what this one has.
///
/// It is never closed: LMDB, closing one of two environments of a process, gives up the readers of
/// both.
struct Elsewhere {
  let file: OpenFile
  let environment: StorageEnvironment

  init(_ path: String, readOnly: Bool = false, mapSize: Int = 1 << 30) throws {
    var opening = FileOpening(
      path: path, settings: FileOpening.Settings(isReadOnly: readOnly, mapSize: mapSize))
    opening.isFirst = false
    file = try opening.open(FileOpening.Taken())
    _ = Unmanaged.passRetained(file)
    environment = StorageEnvironment(OpenStore(file), isInMemory: false, isReadOnly: readOnly)
  }
}
