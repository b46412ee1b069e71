extension RealmFileError {
  /// One sentence: where, what is wrong, and what to do if something can be done.
  public var description: String {
    var text = place.map { $0 + ": " } ?? ""
    text += reason.sentence
    if let position { text += " (at byte \(position) of the file)" }
    return text
  }

  private var place: String? {
    guard let className else { return path }
    var place = className
    if let property { place += "." + property }
    if let objectKey { place += ", object \(objectKey)" }
    return place
  }
}

extension RealmFileError.Reason {
  /// What is wrong, without where.
  var sentence: String {
    switch self {
    case .cannotOpen(let code): "the file cannot be opened: \(systemText(code))"
    case .notRegular: "this is not a file"
    case .notRealm: "this is not a Realm file"
    case .probablyEncrypted:
      "the file is encrypted, or no Realm file; an encrypted one needs its key of 64 bytes"
    case .notEncrypted: "the file is not encrypted; open it without a key"
    case .keyLength(let count): "the key has \(count) bytes; keys have 64"
    case .wrongKey: "the key does not belong to this file, or the file's first page is damaged"
    case .noLibcrypto:
      "encrypted files need OpenSSL 3 (libcrypto.so.3), which is not installed"
    case .newerFormat(let format):
      "the file is in format \(format), which is too new; formats 2 to 24 can be read"
    case .unknownFormat(let format):
      "the file is in format \(format), which is not known; formats 2 to 24 can be read"
    case .cutOff: "the end of the file is missing"
    case .noPreviousState: "the file has no state before the newest"
    case .outside: "a reference leads out of the file"
    case .unaligned: "a reference is not a multiple of 8"
    case .noNode: "a reference does not lead to a node"
    case .unknownNodeKind(let kind):
      "a node is of kind \(kind), which formats 2 to 24 do not have"
    case .wrongNode: "a node is not of the kind that belongs here"
    case .missing(let element): "element \(element) of a node is missing or of the wrong kind"
    case .shared: "a node belongs to two parents"
    case .tooDeep: "nodes are nested too deep"
    case .tooMuch: "a value is larger than a file of this size can hold"
    case .wrongCount(let found, let expected):
      "the number of values is \(found) and must be \(expected)"
    case .outOfRange: "a number is out of range"
    case .notUTF8: "a text is not valid UTF-8"
    case .unknownType(let type): "type \(type) is not known"
    case .noClass(let number): "a link leads to table \(number), which the file does not have"
    case .damagedPage: "a page of the encrypted file is damaged"
    case .tooManyFaults: "the rest was given up after too many faults"
    }
  }
}
