import Herald
import TestSupport

/// Runs a test on a new store in a file, and closes the store after it.
func withStoreFile(
  _ classes: ClassDefinition..., body: (_ store: DynamicStore, _ path: String) throws -> Void
) throws {
  try withFolder { folder in
    let path = "\(folder)/store.hdb"
    let store = try DynamicStore(path: path)
    defer { store.close() }
    for definition in classes { try store.declare(definition) }
    try body(store, path)
  }
}
