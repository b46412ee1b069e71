public import FoundationEssentials
import HeraldModel
import HeraldQuery
@_spi(_Unicode) import Swift

/// How strings are compared.
public struct StringOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case are equal.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Letters are equal whatever marks they have: `e` and `é`.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

/// `String` and `String?`.
public protocol QueryableText: PersistableElement {}

extension String: QueryableText {}
extension Optional: QueryableText where Wrapped == String {}

/// `Data` and `Data?`, whose bytes are compared as those of a text.
public protocol QueryableBytes: PersistableElement {}

extension Data: QueryableBytes {}
extension Optional: QueryableBytes where Wrapped == Data {}

extension Query where T: QueryableText {
  /// Whether the string begins with a text. Nil does not.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the string ends with a text.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the string contains a text.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the whole string is like a pattern, in which `*` stands for any characters and `?` for one.
  public func like(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    compared(.like, pattern, options)
  }

  /// Whether the strings are equal.
  public func equals(_ text: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, text, options)
  }

  /// Whether the strings differ.
  public func notEquals(_ text: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, text, options)
  }
}

// The same comparisons of bytes, of enumerations with text, and with another property of the object.

extension Query where T: QueryableBytes {
  /// Whether the data begins with some bytes.
  public func starts(with other: Data, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the data ends with some bytes.
  public func ends(with other: Data, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Whether the data contains some bytes.
  public func contains(_ other: Data, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, other, options)
  }

  /// Whether the data is equal to some bytes.
  public func equals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, other, options)
  }

  /// Whether the data differs from some bytes.
  public func notEquals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, other, options)
  }
}

extension Query where T: QueryableText {
  /// Whether the string begins with another of the object.
  public func starts<Other: QueryableText>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the string ends with another of the object.
  public func ends<Other: QueryableText>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Whether the string contains another of the object.
  public func contains<Other: QueryableText>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.contains, other, options)
  }

  /// Whether the string is like a pattern of the object.
  public func like<Other: QueryableText>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.like, other, options)
  }

  /// Whether the string is equal to another of the object.
  public func equals<Other: QueryableText>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.equal, other, options)
  }

  /// Whether the string differs from another of the object.
  public func notEquals<Other: QueryableText>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.notEqual, other, options)
  }
}

extension Query where T: QueryableBytes {
  /// Whether the data begins with another of the object.
  public func starts<Other: QueryableBytes>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the data ends with another of the object.
  public func ends<Other: QueryableBytes>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Whether the data contains another of the object.
  public func contains<Other: QueryableBytes>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.contains, other, options)
  }

  /// Whether the data is equal to another of the object.
  public func equals<Other: QueryableBytes>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.equal, other, options)
  }

  /// Whether the data differs from another of the object.
  public func notEquals<Other: QueryableBytes>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    compared(.notEqual, other, options)
  }
}

extension Query where T: PersistableEnum, T.RawValue == String {
  /// Whether the raw value begins with a text.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
    rawValue.starts(with: text, options: options)
  }

  /// Whether the raw value ends with a text.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
    rawValue.ends(with: text, options: options)
  }

  /// Whether the raw value contains a text.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    rawValue.contains(text, options: options)
  }

  /// Whether the raw value is like a pattern.
  public func like(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    rawValue.like(pattern, options: options)
  }
}

extension ProgramFunction {
  /// A text without the marks of its letters: `Creme` of `Crème`.
  static let withoutMarks = ProgramFunction("withoutMarks", [.string], .string) { text, _ in
    guard case .string(let text) = text else { return .null }
    return .string(text.withoutMarks)
  }
}

extension String {
  /// The text without the marks of its letters.
  fileprivate var withoutMarks: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in _nfd where scalar.properties.generalCategory != .nonspacingMark {
      result.append(scalar)
    }
    return String(result)
  }
}
