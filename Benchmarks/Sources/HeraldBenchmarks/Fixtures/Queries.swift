import Herald

extension DynamicStore {
  /// Returns the results of a query text such as `where age > 5 sort(name)`; all objects if it is empty.
  func results(_ className: String, _ query: String) throws -> DynamicResults {
    guard !query.isEmpty else { return try objects(className) }
    let source = Array(query.utf8)
    let (tail, end) = try QueryParser.parseTail(source, from: 0)
    try require(end == source.count, "'\(query)' was not parsed to its end")
    return try results(className, tail, names: NoNames())
  }

  /// Returns the results of a query of a collection.
  func results(of collection: LiveCollection, _ query: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array(query.utf8), from: 0)
    return try results(of: collection, tail, names: NoNames())
  }

  /// Calls a block for each number below `count`, in transactions of a million numbers.
  func writeEach(_ count: Int, _ body: (Int) throws -> Void) throws {
    let most = 1_000_000
    for first in stride(from: 0, to: count, by: most) {
      try write {
        for index in first..<min(first + most, count) { try body(index) }
      }
    }
  }

  func classID(_ name: String) throws -> ClassID {
    guard let classSchema = schema.classSchema(named: name) else {
      throw WrongWork(description: "no class '\(name)'")
    }
    return classSchema.id
  }
}
