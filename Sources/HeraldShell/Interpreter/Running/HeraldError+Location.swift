import Herald

/// Finds the word of a statement that an error of the library is about.
///
/// An error that has a span keeps it: the innermost span is the most precise.
func located(_ error: any Error, _ source: Source, _ span: SourceSpan) -> ShellError {
  switch error {
  case let error as ShellError: error
  // An error in the text of a defined query has no position in the statement.
  case let error as QueryError:
    ShellError(.query(error.message), source, error.span.end == 0 ? span : error.span)
  case let diagnostic as Diagnostic: ShellError(diagnostic, source, span)
  case HeraldError.interrupted: ShellError(.interrupted, source, span)
  case let error as HeraldError:
    ShellError(.library(error), source, error.span(in: source, span))
  default: ShellError(.library(.storage("\(error)")), source, span)
  }
}

extension HeraldError {
  /// The span of the word that the error is about, or the whole span if there is none.
  fileprivate func span(in source: Source, _ span: SourceSpan) -> SourceSpan {
    // Completion asks without the text that the span is of.
    guard let (word, isValue) = offender, span.end <= source.bytes.count else { return span }
    var lexer = Lexer(source.bytes, from: span.start, to: span.end)
    var isInKeyPath = false
    while true {
      let token = lexer.next()
      if token.kind == .end { return span }
      let start = token.kind == .variable ? token.start + 1 : token.start
      if source.bytes[start..<token.end].elementsEqual(word.utf8) {
        return isValue && !isInKeyPath ? value(after: token, lexer) ?? token.span : token.span
      }
      isInKeyPath =
        isInKeyPath || source.bytes[token.start..<token.end].elementsEqual("keypaths".utf8)
    }
  }

  /// The start of the value of a property: after its `:` or `=`.
  private func value(after name: Token, _ lexer: Lexer) -> SourceSpan? {
    var lexer = lexer
    let sign = lexer.next()
    guard sign.kind == .sign,
      lexer.bytes[sign.start] == Byte.colon || lexer.bytes[sign.start] == Byte.equals
    else { return nil }
    let value = lexer.next()
    guard value.kind != .end else { return nil }
    let rest = SourceSpan(start: value.start, end: lexer.limit)
    return span(inValue: rest, lexer.bytes) ?? value.span
  }

  /// The invalid element of a list or a map that begins at the start of the span; nil if the whole value is
  /// invalid, or the element is written differently.
  private func span(inValue span: SourceSpan, _ bytes: [UInt8]) -> SourceSpan? {
    guard case .wrongType(_, _, _, let value) = self else { return nil }
    var lexer = Lexer(bytes, from: span.start, to: span.end)
    var depth = 0
    while true {
      let token = lexer.next()
      if token.kind == .end { return nil }
      if bytes[token.start..<token.end].elementsEqual(value.utf8) { return token.span }
      guard token.kind == .sign else {
        if depth == 0 { return nil }
        continue
      }
      switch bytes[token.start] {
      case Byte.openBracket, Byte.openBrace: depth += 1
      case Byte.closeBracket, Byte.closeBrace: depth -= 1
      default: break
      }
      if depth == 0 { return nil }
    }
  }

  /// The span within the given expressions that the error is about; nil if it is about something else.
  func span(inGiven expressions: [ExpressionSyntax], _ source: Source) -> SourceSpan? {
    switch self {
    case .wrongType(_, _, _, let value):
      for expression in expressions {
        if source.text(expression.span) == value { return expression.span }
        if let span = span(inValue: expression.span, source.bytes) { return span }
      }
      return expressions.count == 1 ? expressions[0].span : nil
    case .missingValue, .nestedTooDeeply, .embeddedHasOwner:
      return expressions.count == 1 ? expressions[0].span : nil
    case _: return nil
    }
  }

  /// The name that the error is about, and whether it concerns the value rather than the name.
  private var offender: (word: String, isValue: Bool)? {
    switch self {
    case .unknownClass(let name, _), .undeclaredClass(let name), .classExists(let name),
      .projectionExists(let name), .queryExists(let name),
      .reservedName(let name), .invalidName(let name),
      .unknownToken(let name, _), .deadToken(let name),
      .foreignToken(let name), .cannotSilence(let name), .tokenExists(let name),
      .keyPathsOnValues(let name):
      (name, false)
    case .unknownProperty(let name, _, _), .duplicateProperty(let name, _),
      .keyCannotChange(let name, _), .notACollection(let name, _), .notALink(let name, _, _),
      .cannotChangeBacklinks(let name), .unknownProjection(let name, _),
      .unknownField(let name, _, _), .fieldReadOnly(let name, _), .hasObservers(let name):
      (name, false)
    case .wrongType(let property, _, _, _), .duplicateKey(_, _, let property): (property, true)
    case .missingValue(let property, _), .nestedTooDeeply(let property, _, _),
      .unequalColumns(let property, _, _, _, _):
      (property, true)
    case .noPrimaryKey(let className), .embeddedNeedsOwner(let className): (className, false)
    case .inUse(let name, _): (name, false)
    case .cannotConvert(_, let property, _, _), .duplicateInAlter(_, _, let property, _),
      .needsDefault(let property, _, _):
      (property, false)
    case .invalidSchema(_, let property): property.map { ($0, false) }
    case .schemaDiffers, .droppedFromSchema, .embeddedHasOwner, .embeddedTooDeeply, .noSuchObject,
      .objectDeleted, .objectNotAdded, .rowOutOfRange, .notInWrite, .noOpenWrite, .writeInProgress,
      .writerBusy,
      .tooManyNestedWrites, .tooManyNestedNotifications, .endlessWrites, .writeTooLarge,
      .observeAfterChange,
      .cannotObserve, .cannotContinue, .wrongSession, .frozen, .closed, .readOnly, .notAStore,
      .newerFormat,
      .olderFormat, .damaged, .cannotOpen, .cannotWrite, .cannotUpdate, .storeMade,
      .storeReplaced,
      .storeRemoved, .lockReplaced, .lockRemoved, .otherLockInUse, .otherStoreInUse, .lockNeeded,
      .diskFailed, .locked, .logTrimmed, .noSuchVersion, .versionNotKept, .timeNotKept,
      .nothingToUndo, .cannotUndo, .raceLost, .notConnected, .notConfirmed, .isReplica,
      .otherStream, .replication, .full, .storage, .interrupted:
      nil
    }
  }
}
