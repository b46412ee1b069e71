import Herald

extension DynamicResults {
  func `where`(_ predicate: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array("where \(predicate)".utf8), from: 0)
    return try store.results(of: self, tail, names: NoNames())
  }
}
