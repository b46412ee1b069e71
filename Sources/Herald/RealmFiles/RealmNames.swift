import HeraldModel
import HeraldQuery

/// The names that classes, or the properties of one, get in a store: letters, digits and underscores, as the language has
/// them, and none of its words. Names that are the program's already stay; two that would be the same differ by underscores.
struct RealmNames {
  private var names: [String]

  /// Names of classes, by their places in the file.
  init(ofClasses names: [String]) {
    self.init(names) { Schema.reservedNames.contains($0) || Self.queryWords.contains($0) }
  }

  /// Names of the properties of a class, by their places in the file.
  init(ofProperties names: [String]) {
    self.init(names) { Self.constants.contains($0.lowercased()) }
  }

  subscript(_ place: Int) -> String { names[place] }

  private init(_ originals: [String], _ isReserved: (String) -> Bool) {
    names = originals.map(Self.legal)
    let isNew = zip(names, originals).map { $0 != $1 || isReserved($0) }
    var taken: Set<String> = []
    // A stable partition: those that can stay come first.
    for place in names.indices.filter({ !isNew[$0] }) + names.indices.filter({ isNew[$0] }) {
      while isReserved(names[place]) || taken.contains(names[place]) { names[place] += "_" }
      taken.insert(names[place])
    }
  }

  /// A name with an underscore for each character that none has.
  private static func legal(_ name: String) -> String {
    let legal = String(
      String.UnicodeScalarView(name.unicodeScalars.map { Lexer.isInNames($0) ? $0 : "_" }))
    guard let first = legal.utf8.first, !Byte.isDigit(first) else { return "_" + legal }
    return legal
  }

  /// Words that read as values in queries, in any case.
  private static let constants: Set<String> = [
    "true", "false", "nil", "null", "inf", "infinity", "nan",
  ]

  /// Words that stand where a class is expected, or after one.
  private static let queryWords: Set<String> = [
    "null", "inf", "infinity", "nan", "sample", "sort", "limit", "distinct", "where", "offset",
  ]
}
