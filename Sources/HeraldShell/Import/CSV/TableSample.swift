import Herald

/// The first records of a CSV file as one delimiter separates them, from which the delimiter is chosen.
struct TableSample {
  /// How many bytes are looked at, and how many records.
  private static let size = 1 << 16
  private static let mostRecords = 100

  let delimiter: UInt8
  /// The numbers of the records' fields, without those of comments before them.
  private var counts: [Int] = []
  /// Whether there is a text behind a delimiter.
  private var separates = false
  /// The lines at the start that begin with `#`, without the header that the last of them may be.
  private(set) var commentCount = 0

  /// Reads the records that `buffer` has in memory, and consumes nothing.
  init(_ buffer: ImportBuffer, _ dialect: CSVDialect) throws(File.Failure) {
    delimiter = dialect.delimiter
    // A header may be longer.
    while !buffer.isComplete,
      buffer.end - buffer.start < Self.size || !buffer.content.contains(where: Byte.endsLine)
    {
      try buffer.fill()
    }
    let start = buffer.start
    defer { buffer.start = start }
    var reader = CSVReader(buffer, dialect)
    var leading = 0
    var numbers: [[Bool]] = []
    while counts.count < Self.mostRecords, reader.nextInPlace() {
      if counts.count == leading, reader.beginsComment { leading += 1 }
      if leading > 0, counts.count >= leading {
        numbers.append((0..<reader.count).map { reader.hasNumber($0) })
      }
      counts.append(reader.count)
      if (1..<max(1, reader.count)).contains(where: { !reader.isEmpty($0) }) { separates = true }
    }
    guard leading > 0, leading < counts.count else { return }
    // A header may begin with the sign, too.
    let isHeader = counts[leading - 1] == counts[leading] && !Self.hasHeader(numbers)
    commentCount = isHeader ? leading - 1 : leading
    counts.removeFirst(commentCount)
  }

  /// Whether the first of some records, which say where they have numbers, is a header: it has none, and those after it have
  /// a column of them.
  private static func hasHeader(_ numbers: [[Bool]]) -> Bool {
    guard let first = numbers.first, !first.contains(true), numbers.count > 1 else { return false }
    let records = numbers.dropFirst()
    return first.indices.contains { column in
      records.allSatisfy { column < $0.count && $0[column] }
    }
  }

  private var isTable: Bool { separates && counts[0] > 1 && counts.allSatisfy { $0 == counts[0] } }

  /// How many records have the number of fields that most have, if that is more than one, and they are at least half.
  private var likeness: Int {
    guard separates else { return 0 }
    var frequencies: [Int: Int] = [:]
    for count in counts where count > 1 { frequencies[count, default: 0] += 1 }
    let most = frequencies.values.max() ?? 0
    return 2 * most >= counts.count ? most : 0
  }

  /// The sample of the likeliest delimiter: one that gives every record the same number of fields. Of several it is the one
  /// that texts and numbers contain least often, or of a header alone the most frequent. If there is none, most records have the same number.
  static func likeliest(of samples: [TableSample]) -> TableSample {
    let tables = samples.filter(\.isTable)
    if let table = tables.first, table.counts.count > 1 { return table }
    if let table = tables.max(by: { $0.counts[0] <= $1.counts[0] }) { return table }
    // Of equals the last, as that is the comma.
    return samples.reduce(samples[0]) { $1.likeness >= $0.likeness ? $1 : $0 }
  }

  /// The delimiters of files that name none, the one that is rarest in texts first.
  static let delimiters = [Byte.tab, Byte.bar, Byte.semicolon, Byte.comma]
}
