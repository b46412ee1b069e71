package import HeraldModel
package import HeraldQuery

/// Calls the block of one observer with its reports.
///
/// A receiver is a value of at most three words, such as a block and a type, so that a table of many observers holds
/// it without a heap object for each.
package protocol ReportReceiver {
  /// Calls the block. Errors: those of the block.
  ///
  /// - Parameters:
  ///   - object: The object that the token observes; nil for other tokens.
  ///   - session: The object by which the program knows the session (`Observatory.publicSession`).
  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws

  /// Returns the same without what `unfolded` makes of a query again, for as long as nothing is pending; nil if it has
  /// something else than `common`, which is shared with receivers of results whose queries have the same shape. The
  /// first one sets that.
  func folded(_ common: inout AnyObject?) -> (any ReportReceiver)?

  /// Returns a folded receiver as it was before.
  func unfolded(_ query: BoundQuery) -> any ReportReceiver
}

extension ReportReceiver {
  package func folded(_ common: inout AnyObject?) -> (any ReportReceiver)? { self }
  package func unfolded(_ query: BoundQuery) -> any ReportReceiver { self }
}

/// Receives nothing: the receiver of an observer that has none, or has ended.
struct NoReceiver: ReportReceiver {
  func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) {}
}

/// Receives the reports of a token.
package typealias ReportHandler = (Report) throws -> Void

/// A receiver for a block that needs the report alone.
package struct BlockReceiver: ReportReceiver {
  private let block: ReportHandler

  package init(_ block: @escaping ReportHandler) { self.block = block }

  package func receive(_ report: Report, of object: ObjectID?, in session: AnyObject?) throws {
    try block(report)
  }
}
