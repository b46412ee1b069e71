import Herald

extension TypeKeyword {
  /// The type or the class that is probably meant by the name of a class which does not exist: the counterpart of a type of
  /// another language, or a similar name.
  static func nearest(to name: String, classes: [String]) -> String? {
    counterpart(of: name)
      ?? nearestName(to: name, in: allCases.map(\.rawValue) + classes)
  }

  /// The counterpart of a type of another language; nil for the name of none.
  static func counterpart(of name: String) -> String? { counterparts[name.lowercased()] }

  private static let counterparts = [
    "text": "string", "varchar": "string", "char": "string", "nvarchar": "string", "str": "string",
    "character": "string", "clob": "string", "symbol": "string", "url": "string", "email": "string",
    "integer": "int", "long": "int", "bigint": "int", "smallint": "int", "tinyint": "int",
    "number": "int", "int8": "int", "int16": "int", "int32": "int", "int64": "int", "uint": "int",
    "short": "int", "byte": "int", "serial": "int", "boolean": "bool", "bit": "bool",
    "real": "double", "float64": "double", "float32": "float",
    "numeric": "decimal", "money": "decimal", "decimal128": "decimal", "bigdecimal": "decimal",
    "datetime": "date", "timestamp": "date", "timestamptz": "date", "time": "date",
    "blob": "data", "bytes": "data", "bytea": "data", "binary": "data", "guid": "uuid",
    "json": "any", "jsonb": "any", "object": "any", "mixed": "any", "variant": "any",
    "array": "list<any>", "vector": "list<any>", "dict": "map<any>", "dictionary": "map<any>",
    "hash": "map<any>",
  ]
}
