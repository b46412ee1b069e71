import Herald

/// A form of log, each line of which is a record.
enum LogForm: Equatable {
  /// `level=info msg="it began" ms=12`: names with their values.
  case logfmt
  /// `1.2.3.4 - ann [30/Nov/2026:10:00:00 +0100] "GET / HTTP/1.1" 200 512`, as web servers write it: the common log
  /// format, or the combined one, which has two more texts; others may follow.
  case access

  /// The form of a log that begins with a line; nil if the line may be the header of a table.
  init?(firstLine line: CellText.Bytes) {
    if (try? AccessLogLine.entries(of: line)) != nil {
      self = .access
    } else if LogfmtLine.isLikely(line) {
      self = .logfmt
    } else {
      return nil
    }
  }

  /// The fields of a line.
  func entries(of line: CellText.Bytes) throws(LogScanner.Failure) -> [ImportRecord.Entry] {
    switch self {
    case .logfmt: try LogfmtLine.entries(of: line)
    case .access: try AccessLogLine.entries(of: line)
    }
  }
}

extension ImportRecord.Entry {
  /// A field of a log; nil is one that is missing.
  init(_ name: String, _ text: String?, isQuoted: Bool = false) {
    self.init(
      name: name, content: .field(CSVField(text: text ?? "", isQuoted: isQuoted && text != nil)))
  }
}
