import HeraldModel

/// Everything that can be wrong with a query, as data; `message` is the only source of the texts.
enum QueryFault {
  // Syntax.
  case invalidUTF8
  case unterminatedString
  case invalidEscape(String)
  case numberTooLarge(String)
  case invalidDate(String)
  case invalidBase64
  case invalidLiteral(String, type: String)
  case tooDeep(limit: Int)
  /// Brackets and blocks of statements.
  case bracketsTooDeep(limit: Int)
  case openBracket(String)
  case expected(String, found: String)
  case unknownOperator(String, nearest: String?)
  /// An operator of another language; `advice` says what stands for it.
  case foreignOperator(String, advice: String)
  case unknownFunction(String)
  case notConvertible(String, type: String)
  case argumentCount(String, least: Int, most: Int)
  /// A duration that does not follow a date.
  case durationAlone(String)
  /// A clause without the parentheses around what follows it.
  case clauseNeedsParentheses(String, example: String)
  /// The name of no property, where a text can stand.
  case unquotedText(String, error: String)
  case needsList(after: String)
  // Names.
  case model(HeraldError)
  case unknownVariable(String, nearest: String?)
  case notAnIndexOrKey(String)
  case noRoot(String)
  // Types.
  case notComparable(String, String)
  case notABoolean(String)
  case invalidRegex(String, reason: String)
  case operatorNeedsStrings(String, found: String)
  case operatorOnLinks(String, found: String)
  case notACollection(String, type: String)
  case quantifierOnSingle(String, operand: String, type: String)
  case pathThroughValue(String, type: String, next: String? = nil, nearest: String? = nil)
  case notALinkTo(String, property: String, className: String, type: String)
  case aggregateNeeds(String, _ values: String, operand: String, type: String)
  case aggregateNeedsProperty(String, operand: String)
  case aggregateNeedsValues(String, operand: String)
  /// An operation without a collection before it.
  case operationNeedsPath(String)
  case arithmeticNeedsNumbers(operand: String, type: String)
  case arithmeticOnLists(String)
  case nilAndList(String)
  case listNeedsConstants(String)
  case betweenNeedsTwo
  case betweenNeedsAll(String)
  case variableInUse(String)
  case staticType(String)
  case notIndexable(String, type: String)
  case notAMap(String, type: String)
  case linksNeedCount
  case operatorOnTypes(String)
  case unknownType(String, nearest: String?)
  case typeNeedsName(String)
  case cannotSort(String, type: String)
  case pathThroughCollection(String)
  case collectionInGroup(String)
  case collectionInSections(String)
  case aggregateOfGroup(String)
  case countOfPath(String)
  case groupStage(String)
  case unknownColumn(String, nearest: String?)
  case duplicateColumn(String)
  case clauseNeedsNumber(String)
  case overflow
  case divisionByZero(String)
  case subqueryCountOnly
}

extension QueryFault {
  var message: String {
    switch self {
    case .invalidUTF8: "invalid UTF-8"
    case .unterminatedString: "unterminated string"
    case .invalidEscape(let text): "'\(text)' is not a valid escape sequence"
    case .numberTooLarge(let text): "the number \(text) is too large"
    case .invalidDate(let text):
      "'\(text)' is not a date and time" + ForeignDate.advice(text)
    case .invalidBase64: "the text is not base64"
    case .invalidLiteral(let text, let type): "'\(text)' is not \(type)"
    case .tooDeep(let limit): "more than \(limit) levels of nesting"
    case .bracketsTooDeep(let limit): "brackets or blocks nested more than \(limit) deep"
    case .openBracket(let bracket): "'\(bracket)' is never closed"
    case .expected(let what, let found): "expected \(what), found \(found)"
    case .unknownOperator(let word, let nearest):
      "'\(word)' is not an operator" + suggestion(nearest)
    case .foreignOperator(let word, let advice): "'\(word)' is not an operator; \(advice)"
    case .unknownFunction(let name): ForeignFunction.message(name)
    case .notConvertible(let text, let type): "'\(text)' is not \(type)"
    case .argumentCount(let name, let least, let most):
      "'\(name)' has \(least)\(most > least ? " or \(most)" : "") "
        + (most == 1 ? "argument" : "arguments")
    case .durationAlone(let text):
      "a duration such as \(text) stands only after '+' or '-' of a date"
    case .clauseNeedsParentheses(let word, let example):
      "'\(word)' needs parentheses: '\(example)'"
    case .unquotedText(let word, let error):
      error + "; a text is written in quotes: \(word.quoted)"
    case .needsList(let word):
      "\(word) needs a list or a collection after it, as in {1, 5}"
    case .model(let error): error.message
    case .unknownVariable(let name, let nearest):
      "unknown variable '$\(name)'" + suggestion(nearest.map { "$" + $0 })
    case .notAnIndexOrKey(let name): "'$\(name)' is neither an index nor a key"
    case .noRoot(let name): "'\(name)' needs an object: a variable, or a class and a key"
    case .notComparable(let left, let right):
      "cannot compare \(left) with \(right)"
        + (left.hasSuffix("(date)") ? ForeignDate.advice(right.filter { $0 != " " }) : "")
    case .invalidRegex(let pattern, let reason):
      "\(pattern.quoted) is not a regular expression: \(reason)"
    case .notABoolean(let found): "\(found) is neither a Boolean nor an object"
    case .operatorNeedsStrings(let word, let found): "\(word) needs strings; \(found) is not one"
    case .operatorOnLinks(let word, let found):
      "objects can only be compared with == and !=; '\(word)' cannot be applied to \(found)"
    case .notACollection(let name, let type): "'\(name)' is \(type), not a collection"
    case .quantifierOnSingle(let word, let operand, let type):
      "\(word) needs a collection; '\(operand)' is \(type)"
    case .pathThroughValue(let name, let type, let next, let nearest):
      "'\(name)' is \(type), not a link"
        + (next.map { ": '\($0)' cannot follow it" } ?? "") + suggestion(nearest)
    case .notALinkTo(let target, let property, let className, let type):
      "'\(property)' of class '\(className)' is \(type), not a link to '\(target)'"
    case .aggregateNeeds(let word, let values, let operand, let type):
      "\(word) needs \(values); '\(operand)' is \(type)"
    case .aggregateNeedsProperty(let word, let operand):
      "\(word) of objects needs one of their properties: '\(operand).\(word).PROPERTY'"
    case .aggregateNeedsValues(let word, let operand):
      "\(word) needs a collection of objects before a property; '\(operand)' holds values"
    case .operationNeedsPath(let word):
      "'\(word)' needs a collection before it, as in 'dogs.\(word)'"
    case .arithmeticNeedsNumbers(let operand, let type):
      "arithmetic needs numbers; \(operand) is \(type)"
    case .arithmeticOnLists(let word): "'\(word)' cannot combine two collections"
    case .nilAndList(let name): "'\(name)' is a collection, which is never nil"
    case .listNeedsConstants(let operand):
      "a list holds literals and variables; '\(operand)' is neither"
    case .betweenNeedsTwo: "BETWEEN needs two values, as in {1, 5}"
    case .betweenNeedsAll(let name):
      "BETWEEN needs ALL before '\(name)', which is a collection of values"
    case .variableInUse(let name): "'$\(name)' is the variable of an enclosing SUBQUERY"
    case .staticType(let name): "'\(name)' is the same for every object"
    case .notIndexable(let name, let type): "'\(name)' is \(type), which cannot be indexed"
    case .notAMap(let name, let type): "'\(name)' is \(type), not a map"
    case .linksNeedCount: "@links needs a class and a property, or @count, after it"
    case .operatorOnTypes(let word): "types can only be compared with ==, != and IN, not \(word)"
    case .unknownType(let name, let nearest):
      "'\(name)' is not the name of a type" + suggestion(nearest)
    case .typeNeedsName(let found): "@type needs the name of a type in quotes; \(found) is not one"
    case .cannotSort(let name, let type): "cannot sort by '\(name)', which is \(type)"
    case .pathThroughCollection(let name):
      "'\(name)' is a collection; sort and distinct follow single links only"
    case .collectionInGroup(let name):
      "'\(name)' is a collection; group follows single links to single values only"
    case .collectionInSections(let name):
      "'\(name)' is a collection; a section has the rows of one value"
    case .aggregateOfGroup(let word): "\(word) needs a property, as in \(word).PROPERTY"
    case .countOfPath(let name): "@count counts the members of a group, not '\(name)'"
    case .groupStage(let word): "groups have no '\(word)'"
    case .unknownColumn(let name, let nearest):
      "no column '\(name)'" + suggestion(nearest)
    case .duplicateColumn(let name): "two columns are named '\(name)'"
    case .clauseNeedsNumber(let word): "\(word) needs a whole number of 0 or more"
    case .subqueryCountOnly: "a SUBQUERY can only be counted, with '.@count'"
    case .overflow: "the result is too large for an int"
    case .divisionByZero(let text): "'\(text)' divides an int by zero"
    }
  }
}
