/// What the parser expects, where completion has candidates for it; the raw values are the words of its errors.
enum CompletionKind: String {
  case statement = "a statement"
  case blockOrStatement = "'{' or a statement"
  case className = "a class"
  case shown = "a class, a projection or a query"
  case query = "a class, an object or a collection"
  case target = "an object, a collection or a property"
  case collection = "a collection"
  case list = "a list"
  case listOrSet = "a list or a set"
  case set = "a set"
  case listElement = "an element of a list"
  case value = "a value"
  case property = "a property"
  case keyPath = "a key path"
  case token = "a token"
  case session = "a session"
  case variable = "a variable"
  case type = "a type"
  case elementType = "a type of elements"
  case file = "a file"
  case store = "a store"
  case alias = "an alias"
  case edited = "an alias, a query or a projection"
  case topic = "a word"

  var isFile: Bool { self == .file || self == .store }
}
