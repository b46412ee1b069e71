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
