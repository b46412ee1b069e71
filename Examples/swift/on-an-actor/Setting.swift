import ExampleSupport
import Foundation
import HeraldCompatibility

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

/// Runs a function on a main actor that is slow to begin its turns: the actor's observer is called before the main
/// actor invalidates its token.
func run(_ function: @escaping @MainActor () async throws -> Void) {
  MainActor.assumeIsolated {
    var hasEnded = false
    Task {
      try await function()
      hasEnded = true
    }
    while !hasEnded {
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
