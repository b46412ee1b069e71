import HeraldModel

/// Functions of other languages, and what stands for them here.
package enum ForeignFunction {
  /// The message about a call of a function, with what to write instead if that is known.
  package static func message(_ name: String) -> String {
    let small = name.lowercased()
    let counterpart = ValueFunction.named[small] == nil ? counterparts[small] : small
    if counterpart == name { return "'\(name)' has no parentheses" }
    let nearest = nearestName(
      to: name, in: ValueFunction.named.keys.sorted() + counterparts.keys.sorted())
    return "there is no function '\(name)'"
      + suggestion(counterpart ?? nearest.map { counterparts[$0] ?? $0 })
  }

  /// What stands here for a function, by its name in small letters: `.lower`, `@avg`, `??`; nil if that is not known.
  package static func counterpart(of name: String) -> String? { counterparts[name] }

  private static let counterparts = [
    "len": ".length", "length": ".length", "strlen": ".length", "char_length": ".length",
    "lower": ".lower", "lcase": ".lower", "tolower": ".lower", "lowercase": ".lower",
    "upper": ".upper", "ucase": ".upper", "toupper": ".upper", "uppercase": ".upper",
    "year": ".year", "month": ".month", "day": ".day", "hour": ".hour", "minute": ".minute",
    "trim": ".trim", "replace": ".replace", "week": ".week", "weekday": ".weekday",
    "dayofweek": ".weekday", "isodow": ".weekday", "ceiling": "ceil", "trunc": "int",
    "integer": "int", "to_number": "double", "float8": "double", "str": "string",
    "to_char": "string", "to_date": "date", "strptime": "date", "str_to_date": "date",
    "datetime": "date", "datediff": "-", "date_diff": "-", "date_add": "+",
    "now": "now", "today": "now", "getdate": "now", "curdate": "now", "sysdate": "now",
    "current_timestamp": "now", "current_date": "now",
    "count": "@count", "sum": "@sum", "total": "@sum", "avg": "@avg", "mean": "@avg",
    "average": "@avg", "min": "@min", "max": "@max", "median": "@median",
    "percentile": "@percentile(0.9)", "percentile_cont": "@percentile(0.9)",
    "quantile": "@percentile(0.9)", "quantile_cont": "@percentile(0.9)", "stddev": "@stddev",
    "stddev_samp": "@stddev", "stdev": "@stddev", "distinct": "@distinct",
    "count_distinct": "@distinct",
    "startswith": "BEGINSWITH", "contains": "CONTAINS", "concat": "+",
    "coalesce": "??", "ifnull": "??", "nvl": "??", "isnull": "== nil", "exists": "!= nil",
  ]
}
