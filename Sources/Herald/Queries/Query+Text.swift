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

/// `Data`, whose bytes are compared as those of a text, and text; both also where they may be nil.
public protocol QueryableBytes: PersistableElement {}

extension Data: QueryableBytes {}
extension Optional: QueryableBytes where Wrapped: QueryableBytes {}

/// `String` and `String?`.
public protocol QueryableText: QueryableBytes {}

extension String: QueryableText {}
extension Optional: QueryableText where Wrapped: QueryableText {}

extension Query where T: Storable, T.PersistedType: QueryableText {
  /// Whether the string begins with a text. Nil does not.
  public func starts(with text: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the string ends with a text.
  public func ends(with text: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the string contains a text.
  public func contains(_ text: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the whole string is like a pattern, in which `*` stands for any characters and `?` for one.
  public func like(_ pattern: T, options: StringOptions = []) -> Query<Bool> {
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

extension Query where T: Storable, T.PersistedType: QueryableBytes {
  /// Whether the data begins with some bytes.
  public func starts(with other: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, other, options)
  }

  /// Whether the data ends with some bytes.
  public func ends(with other: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, other, options)
  }

  /// Whether the data contains some bytes.
  public func contains(_ other: T, options: StringOptions = []) -> Query<Bool> {
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

extension Query where T: Storable, T.PersistedType: QueryableText {
  /// Whether the string begins with another of the object.
  public func starts<Other: Storable>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.beginsWith, other, options)
  }

  /// Whether the string ends with another of the object.
  public func ends<Other: Storable>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.endsWith, other, options)
  }

  /// Whether the string contains another of the object.
  public func contains<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.contains, other, options)
  }

  /// Whether the string is like a pattern of the object.
  public func like<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.like, other, options)
  }

  /// Whether the string is equal to another of the object.
  public func equals<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.equal, other, options)
  }

  /// Whether the string differs from another of the object.
  public func notEquals<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableText {
    compared(.notEqual, other, options)
  }
}

extension Query where T: Storable, T.PersistedType: QueryableBytes {
  /// Whether the data begins with another of the object.
  public func starts<Other: Storable>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableBytes {
    compared(.beginsWith, other, options)
  }

  /// Whether the data ends with another of the object.
  public func ends<Other: Storable>(
    with other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableBytes {
    compared(.endsWith, other, options)
  }

  /// Whether the data contains another of the object.
  public func contains<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableBytes {
    compared(.contains, other, options)
  }

  /// Whether the data is equal to another of the object.
  public func equals<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableBytes {
    compared(.equal, other, options)
  }

  /// Whether the data differs from another of the object.
  public func notEquals<Other: Storable>(
    _ other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool>
  where Other.PersistedType: QueryableBytes {
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
