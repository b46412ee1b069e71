import HeraldModel

/// What binding finds out about a query besides its conditions.
final class BindingNotes {
  /// Whether an operand is a value that was read from the store.
  var hasValuesOfStore = false
  /// What the names meant; of a query that is bound again, what they meant the first time.
  var answers: NamedAnswers
  /// The values of reads that need not be computed, by their place in order.
  var known: [Int: Value] = [:]
  /// Whether the query is bound again.
  let isAgain: Bool
  /// What was read of the store besides the rows, in order: what a query in parentheses reads comes before its own value.
  private(set) var reads: [StoredRead] = []

  /// Receives what the names in the text mean, if that is all that it is bound for.
  let resolved: ResolvedNames?

  init(resolved: ResolvedNames? = nil) {
    answers = NamedAnswers()
    isAgain = false
    self.resolved = resolved
  }

  /// - Parameter answers: those of the first time that the query was bound.
  init(_ answers: NamedAnswers) {
    self.answers = answers
    isAgain = true
    resolved = nil
  }

  /// The notes for a defined query that stands in the text: what its own names mean is none of this one's.
  var ofDefinition: BindingNotes {
    resolved == nil ? self : BindingNotes(resolved: ResolvedNames())
  }

  /// Returns what an operand that begins with a variable was, if the query is bound again.
  func knownOperand(_ text: String) -> BoundOperand? { isAgain ? answers.operands[text] : nil }

  /// Notes an object that is named by its key.
  func note(_ object: ObjectID, _ className: String, _ key: Value, _ reader: any ObjectReader) {
    answers.objects[NamedAnswers.Key(className: className, key: key)] = object
    reads.append(StoredRead(.object(object, exists: reader.exists(object)), innerCount: 0))
  }

  /// Notes what a query that a variable holds reads besides its rows.
  func note(_ query: BoundQuery) { reads += query.reads }

  /// Notes a key that no object has, in the place of the object.
  func note(missing keyed: KeyedObject) {
    reads.append(StoredRead(.missing(keyed), innerCount: 0))
  }

  /// Notes the value of an operand that is the same for every row.
  ///
  /// - Parameter first: the number of reads before it was bound.
  func note(_ operand: Operand, _ value: Operand, since first: Int) {
    reads.append(
      StoredRead(.operand(operand, value.constantValues), innerCount: reads.count - first))
  }

  /// Notes an operand that each row evaluates, over elements that are the same for every row.
  ///
  /// - Parameter outer: how many conditions are around it.
  func note(_ operand: Operand, outer: Int, since first: Int) {
    reads.append(
      StoredRead(.elements(operand, outer: outer), innerCount: reads.count - first))
  }
}
