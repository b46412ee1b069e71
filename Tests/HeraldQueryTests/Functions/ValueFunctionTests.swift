import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

@Suite struct ValueFunctionTests {
  private func bound(_ text: String) throws -> BoundExpression {
    let (expression, end) = try QueryParser.parseExpression(Array(text.utf8), from: 0)
    #expect(end == text.utf8.count, "\(text)")
    // The description means the same.
    let (again, _) = try QueryParser.parseExpression(Array(expression.description.utf8), from: 0)
    #expect(again.description == expression.description)
    let kennel = KennelStore()
    return try BoundExpression.bind(expression, schema: KennelStore.schema, names: kennel.names)
  }

  private func value(_ text: String) throws -> String {
    guard case .value(let value) = try bound(text).value(KennelStore().store) else { return "" }
    return value.literalText
  }

  @Test(arguments: [
    // Half away from zero, of the digits that are shown.
    ("round(2.5)", "3.0"), ("round(-2.5)", "-3.0"), ("round(0.49999999999999994)", "0.0"),
    ("round(1.005, 2)", "1.01"), ("round(2.345, 2)", "2.35"), ("round(-0.125, 2)", "-0.13"),
    ("round(9.999, 2)", "10.0"), ("round(7)", "7"), ("round(-0.4)", "0.0"), ("ceil(-0.5)", "0.0"),
    ("round(1250, -2)", "1300"),
    ("round(-1250, -2)", "-1300"), ("round(1249, -2)", "1200"), ("round(5, -30)", "0"),
    ("round(1e300, 2)", "1e+300"), ("round(decimal(\"2.675\"), 2)", "2.68"),
    ("round(inf)", "inf"), ("floor(-1.5)", "-2.0"), ("floor(1.5)", "1.0"), ("ceil(-1.5)", "-1.0"),
    ("ceil(1.000001)", "2.0"), ("floor(3)", "3"), ("floor(decimal(\"-0.1\"))", "-1"),
    ("abs(-3)", "3"), ("abs(-1.5)", "1.5"), ("abs(decimal(\"-1.50\"))", "1.50"),
    ("sqrt(16)", "4.0"), ("int(2.9)", "2"), ("int(-2.9)", "-2"), ("int(\"-12\")", "-12"),
    ("int(true)", "1"), ("double(\"1e3\")", "1000.0"), ("double(3)", "3.0"),
    ("decimal(0.1)", "0.1"), ("decimal(\"1.50\")", "1.50"), ("string(1.5)", "\"1.5\""),
    ("string(false)", "\"false\""), ("string(2020-01-02)", "\"2020-01-02T00:00:00Z\""),
    ("string(binary(\"AQI=\"))", "\"AQI=\""), ("round(nil)", "nil"), ("int(nil)", "nil"),
    ("round(1.5, nil)", "nil"), ("nil + 3d", "nil"),
    ("date(\"31.12.69\", \"dd.MM.yy\")", "1969-12-31@00:00:00"),
    ("date(\"1.2.2068\", \"d.M.yyyy\")", "2068-02-01@00:00:00"),
    ("date(\"2020-03-01\")", "2020-03-01@00:00:00"),
    ("date(\"2020-03-01T10:00:00+02:00\").hour", "8"),
    ("\"a-b-a\".replace(\"a\", \"xx\")", "\"xx-b-xx\""),
    ("\"aaa\".replace(\"aa\", \"b\")", "\"ba\""),
    ("\"abc\".replace(\"\", \"y\")", "\"abc\""),
    ("\"a\\r\\nb\".replace(\"\\n\", \"\")", "\"a\\rb\""),
    ("\"a,b\".replace(\",\", \";\").upper", "\"A;B\""), ("\" \\t q r \\n\".trim", "\"q r\""),
    ("\"\u{a0}x\u{2003}\".trim", "\"x\""), ("\"  \".trim", "\"\""),
    ("(\"a\" + \" B \").trim.lower", "\"a b\""), ("round(1.25, 1) + 1", "2.3"),
    ("2026-01-01.weekday", "4"), ("1969-12-28.weekday", "7"), ("1969-12-29.weekday", "1"),
    ("2026-01-01.week", "1"), ("2027-01-01.week", "53"), ("2021-01-03.week", "53"),
    ("2021-01-04.week", "1"), ("2024-12-30.week", "1"),
    ("2026-05-05@13:14:15.date", "2026-05-05@00:00:00"),
    ("1969-12-31@23:59:59.date", "1969-12-31@00:00:00"),
    ("2026-03-01 - 1d", "2026-02-28@00:00:00"), ("2026-01-01 + 1w2d", "2026-01-10@00:00:00"),
    ("2026-01-01 + 1h30m15s", "2026-01-01@01:30:15"), ("2026-01-02 - 2026-01-01", "86400.0"),
    ("2026-01-01 - 2026-01-01@00:00:00.5", "-0.5"), ("2026-01-01 + 1d - 2026-01-01", "86400.0"),
    ("nil ?? 3", "3"), ("4 ?? 3", "4"), ("nil ?? nil ?? \"z\"", "\"z\""), ("nil ?? 1 + 2", "3"),
    ("1 + (nil ?? 2) * 3", "7"), ("Dog#99 ?? nil", "nil"), ("Dog#99.name ?? \"none\"", "\"none\""),
    ("round(Dog#99.height) ?? 1", "1"), ("Dog#(90 + 9).name ?? \"none\"", "\"none\""),
    ("Dog#(nil).name", "nil"),
  ])
  func `the value of an expression`(text: String, result: String) throws {
    #expect(try value(text) == result, "\(text)")
  }

  @Test(arguments: [
    ("int(\"4.5\")", "'4.5' is not an int"), ("int(\"\") ?? 3", "'' is not an int"),
    ("int(1e30)", "the result is too large for an int"),
    ("int(nan)", "the result is too large for an int"),
    ("double(\"0x10\")", "'0x10' is not a double"), ("decimal(\" 1\")", "' 1' is not a decimal"),
    (
      "date(\"31.02.2020\", \"dd.MM.yyyy\")",
      "'31.02.2020' is not a date of the form \"dd.MM.yyyy\""
    ),
    ("date(\"x\")", "'x' is not a date"),
    ("round(\"x\")", "round needs a number; '\"x\"' is string"),
    ("round(1.5, 0.5)", "round needs a number of decimals; '0.5' is double"),
    ("round(1, 2, 3)", "'round' has 1 or 2 arguments"), ("floor(1, 2)", "'floor' has 1 argument"),
    ("\"a\".replace(\"b\")", "'replace' has 2 arguments"),
    ("\"a\".replace(1, \"b\")", "replace needs a string; '1' is int"),
    (
      "date(\"2020\", \"qq\")",
      "unknown 'qq' in the form of dates; it may have yyyy, yy, MMMM, MMM, MM, M, dd, d, HH, H, hh, h, mm, m, ss, s and a"
    ),
    ("7d", "a duration such as 7d stands only after '+' or '-' of a date"),
    ("3 + 7d", "a duration such as 7d stands only after '+' or '-' of a date"),
    ("2020-01-01 * 7d", "a duration such as 7d stands only after '+' or '-' of a date"),
    ("2020-01-01 + 2020-01-02", "arithmetic needs numbers; 2020-01-01@00:00:00 is date"),
    ("2020-01-01 - 5", "arithmetic needs numbers; 2020-01-01@00:00:00 is date"),
    ("Dog#99", "there is no object Dog#99"), ("Dog#(90 + 9)", "there is no object Dog#99"),
    ("Dog#(\"x\" + \"y\")", "the key of 'Dog' needs int; '\"x\" + \"y\"' is string"),
    ("abs(0 - 9223372036854775807 - 1)", "the result is too large for an int"),
    ("5 ?? Dog.@count", ""),
  ])
  func `the error of an expression`(text: String, message: String) {
    do {
      _ = try value(text)
      #expect(message.isEmpty, "\(text)")
    } catch {
      #expect("\(error)" == message, "\(text)")
    }
  }

  /// In a predicate what cannot be computed is nil.
  @Test func `of a row that has no value no error is made`() throws {
    let kennel = KennelStore()
    #expect(try kennel.rows("where int(name) > 3") == [])
    #expect(try kennel.rows("where Dog#(age + 90) == nil") == kennel.rows(""))
    #expect(try kennel.rows("where (Dog#(age + 90).age ?? 7) == 7") == kennel.rows(""))
  }

  @Test func `weeks and days of the week follow each other`() throws {
    var (week, weekday) = (1, 4)
    var weeks = 0
    for day in 0..<20_000 {
      let date = Timestamp(seconds: day * 86_400 + 3600)
      #expect(date.weekday == weekday && date.week == week, "\(date.iso8601)")
      weekday = weekday % 7 + 1
      guard weekday == 1 else { continue }
      // The week that has the first Thursday of a year is its first.
      let thursday = Timestamp(seconds: (day + 4) * 86_400).calendarParts!
      (week, weeks) = (thursday.month == 1 && thursday.day <= 7 ? 1 : week + 1, weeks + 1)
    }
    #expect(weeks > 2800)
    #expect(Timestamp(seconds: .max).week == nil && Timestamp(seconds: .min).weekday >= 1)
    _ = Timestamp(seconds: .min).midnight
  }
}
