import HeraldRealmFiles

/// Writes values as `expected` does.
struct SampleRendering {
  private let file: RealmFile
  private var columns: [String: [RealmValue]] = [:]

  /// Prepares to write values of `file`.
  init(_ file: RealmFile) { self.file = file }

  /// Returns a property of the object at `index` of a class; its key if the property is `_key`.
  mutating func value(_ name: String, _ index: Int, _ property: String) throws -> String {
    guard let table = file.tables.firstIndex(where: { $0.name == name }) else { throw NotThere() }
    if property == "_key" { return "\(try key(table, index))" }
    guard let column = file.tables[table].propertyIndex(property) else { throw NotThere() }
    let isMixed = file.tables[table].properties[column].type == .mixed
    if columns["\(name).\(property)"] == nil {
      columns["\(name).\(property)"] = try values(table, column)
    }
    guard let values = columns["\(name).\(property)"], index < values.count else {
      throw NotThere()
    }
    return text(values[index], isMixed: isMixed)
  }

  private func values(_ table: Int, _ property: Int) throws -> [RealmValue] {
    var cursor = try file.objects(of: table)
    var values: [RealmValue] = []
    while try cursor.nextBlock() {
      var start = 0
      while start < cursor.count {
        let column = cursor.column(of: property, from: start)
        values += column.values
        start = column.indices.upperBound
      }
    }
    return values
  }

  private func key(_ table: Int, _ index: Int) throws -> Int64 {
    var cursor = try file.objects(of: table)
    while try cursor.nextBlock() {
      if index < cursor.firstPosition + cursor.count {
        return cursor.key(at: index - cursor.firstPosition)
      }
    }
    throw NotThere()
  }

  /// Returns the value as text; links in mixed values have the name of their class.
  func text(_ value: RealmValue, isMixed: Bool) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): hexadecimal(Double(value).bitPattern, 16)
    case .double(let value): hexadecimal(value.bitPattern, 16)
    case .string(let value): quoted(value)
    case .data(let value): quoted(base64(value))
    case .timestamp(let seconds, let nanoseconds): quoted(date(seconds, nanoseconds))
    case .decimal(let high, let low): decimal(high, low)
    case .uuid(let value): quoted(uuid(value))
    case .objectID(let value):
      quoted(hexadecimal(value.high, 16) + hexadecimal(UInt64(value.low), 8))
    case .link(let link): (try? self.link(link, isMixed: isMixed)) ?? "?"
    case .list(let values), .set(let values):
      "[" + values.map { text($0, isMixed: isMixed) }.joined(separator: ",") + "]"
    case .dictionary(let entries):
      object(entries.map { ($0.key, text($0.value, isMixed: isMixed)) })
    }
  }

  private func object(_ entries: [(String, String)]) -> String {
    let sorted = entries.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
    return "{" + sorted.map { quoted($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  private func link(_ link: RealmLink, isMixed: Bool) throws -> String {
    let table = file.tables[link.classIndex]
    guard let position = try file.positions(of: link.classIndex).index(of: link.objectKey) else {
      throw NotThere()
    }
    guard !table.isEmbedded else {
      return object(
        try table.properties.indices.map { property in
          let value = try values(link.classIndex, property)[position]
          return (table.properties[property].name, text(value, isMixed: false))
        })
    }
    guard let key = table.primaryKeyIndex else { throw NotThere() }
    let value = text(try values(link.classIndex, key)[position], isMixed: false)
    return isMixed ? "link(\(table.name),\(value))" : value
  }

  private func decimal(_ high: UInt64, _ low: UInt64) -> String {
    let sign = high >> 63 == 1 ? "-" : ""
    switch high >> 58 & 31 {
    case 30: return sign + "inf"
    case 31: return "NaN"
    default:
      let coefficient = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
      return "\(sign)\(coefficient)E\(Int(high >> 49 & 0x3FFF) - 6176)"
    }
  }

  private func uuid(_ value: RealmUUID) -> String {
    let digits = Array(hexadecimal(value.high, 16) + hexadecimal(value.low, 16))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  private func date(_ seconds: Int64, _ nanoseconds: Int32) -> String {
    let isBorrowed = nanoseconds < 0
    let whole = isBorrowed ? seconds - 1 : seconds
    let fraction = Int(nanoseconds) + (isBorrowed ? 1_000_000_000 : 0)
    let day = Int(whole >= 0 ? whole / 86400 : (whole - 86399) / 86400)
    let second = Int(whole) - day * 86400
    // Days since 0000-03-01, in eras of 400 years.
    let days = day + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    let text = [
      padded(year + era * 400 + (number <= 2 ? 1 : 0), 4), padded(number, 2),
      padded(dayOfYear - (153 * month + 2) / 5 + 1, 2),
    ].joined(separator: "-")
    let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return text + " " + time.joined(separator: ":")
      + (fraction > 0 ? "." + padded(fraction, 9) : "")
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private func hexadecimal(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: width - digits.count) + digits
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 32 || scalar == "\"" || scalar == "\\" {
        result += "\\u" + hexadecimal(UInt64(scalar.value), 4)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        text.append(position <= group.count ? digits[number >> (18 - 6 * position) & 63] : "=")
      }
    }
    return text
  }
}
