import Glibc
import HeraldReplication

extension DynamicStore {
  /// Everything in the store, as text.
  func dump() throws -> String {
    var lines = ["version \(version)"]
    for classSchema in schema.classes where classSchema.isDeclared {
      lines.append("\(classSchema)")
      for object in try objects(classSchema.name).objects {
        var line = "\(object.id)"
        for property in classSchema.properties where !property.type.isBacklinks {
          if property.type.shape == .single {
            line += " \(property.name): \(try object.value(property.name))"
          } else {
            let collection = try object.collection(property.name)
            line += " \(property.name): \(collection.keys) \(collection.values)"
          }
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  struct Late: Error {
    let version: Int
    let status: ReplicaStatus?
  }

  /// Waits until the store is at a version, and delivers.
  func await(version wanted: Int) throws {
    for _ in 0..<3000 {
      _ = try refresh()
      if version >= wanted { return }
      usleep(10_000)
    }
    throw Late(version: version, status: replicaStatus)
  }
}
