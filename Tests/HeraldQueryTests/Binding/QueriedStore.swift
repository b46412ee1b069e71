import HeraldModel
import HeraldQuery

@testable import TestModel

/// A store that a table of queries runs on.
protocol QueriedStore {
  associatedtype Names: QueryNames

  static var schema: Schema { get }
  /// The class that is queried where none is named.
  static var root: String { get }
  var store: ModelReader { get }
  var names: Names { get }
}

extension QueriedStore {
  func query(
    _ text: String, root: String = Self.root, isFrozen: Bool = false
  ) throws -> BoundQuery {
    let (tail, end) = try QueryParser.parseTail(Array(text.utf8), from: 0)
    guard end == text.utf8.count else {
      throw QueryError(message: "stopped early", span: SourceSpan(start: end, end: end))
    }
    return try BoundQuery.bind(
      tail, root: Self.schema.classSchema(named: root)!.id, schema: Self.schema, names: names,
      reader: isFrozen ? store : nil)
  }

  /// What is wrong with a query: the message, and the part of the text that it is about.
  func fault(_ text: String, root: String = Self.root) -> String {
    do {
      _ = try query(text, root: root)
      return "nothing"
    } catch let error as QueryError {
      let bytes = Array(text.utf8)[error.span.start..<error.span.end]
      return "\(error.message) | \(String(decoding: bytes, as: UTF8.self))"
    } catch {
      return "\(error)"
    }
  }
}
