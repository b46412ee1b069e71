import HeraldModel
import HeraldStorage
import TestSupport
import Testing

@testable import HeraldEngine

/// A value has one stored form in a column of its type, and reads back from it; errors of storage become the engine's.
@Suite struct StoredValueTests {
  private static let decimal = Decimal128("-19.90")!
  private static let uuid = UniqueID(bits: (1, 2))
  private static let objectID = DocumentID(bits: (3, 4))
  private static let link = ObjectID(ClassID(1), 77)

  /// A value of a type, and its stored form.
  struct Form: Sendable {
    let value: Value
    let element: ElementType
    let kind: ColumnKind
    let stored: StoredValue
  }

  static let forms = [
    Form(value: .bool(true), element: .bool, kind: .integers, stored: .integer(1)),
    Form(value: .bool(false), element: .bool, kind: .integers, stored: .integer(0)),
    Form(value: .int(.min), element: .int, kind: .integers, stored: .integer(.min)),
    Form(value: .link(link), element: .link(ClassID(1)), kind: .integers, stored: .integer(77)),
    Form(value: .float(1.5), element: .float, kind: .floats, stored: .float(1.5)),
    Form(value: .double(-0.0), element: .double, kind: .doubles, stored: .double(-0.0)),
    Form(
      value: .date(Timestamp(seconds: 5)), element: .date, kind: .dates,
      stored: .date(Timestamp(seconds: 5))),
    Form(value: .string("ä\0"), element: .string, kind: .bytes, stored: .bytes([0xC3, 0xA4, 0])),
    Form(value: .data([1, 255]), element: .data, kind: .bytes, stored: .bytes([1, 255])),
    Form(
      value: .decimal(decimal), element: .decimal, kind: .bytes, stored: .bytes(decimal.storedBytes)
    ),
    Form(value: .uuid(uuid), element: .uuid, kind: .bytes, stored: .bytes(uuid.bytes)),
    Form(
      value: .objectID(objectID), element: .objectID, kind: .bytes, stored: .bytes(objectID.bytes)),
    Form(value: .int(3), element: .any, kind: .bytes, stored: .bytes([3, 6])),
    Form(value: .link(link), element: .any, kind: .bytes, stored: .bytes([9, 1, 77])),
    Form(value: .null, element: .int, kind: .integers, stored: .null),
    Form(value: .null, element: .any, kind: .bytes, stored: .null),
  ]

  private func column(_ element: ElementType) -> Layout.Column {
    Layout.Column(
      ClassID(1), PropertySchema(id: PropertyID(1), name: "p", type: PropertyType(element)),
      in: Schema())
  }

  @Test(arguments: forms)
  func `a value reads back from its stored form`(_ form: Form) {
    let column = column(form.element)
    #expect(column.kind == form.kind)
    #expect(column.stored(form.value) == form.stored)
    #expect(column.value(form.stored).hasSameForm(as: form.value))
  }

  @Test(arguments: [ElementType.decimal, .uuid, .objectID, .any])
  func `bytes that are no value of the type read as nil`(_ element: ElementType) {
    #expect(column(element).value(.bytes([255, 1, 2])) == .null)
    #expect(column(element).value(.bytes([])) == .null)
  }

  @Test func `every decimal keeps its digits`() throws {
    for text in [
      "0", "-0", "7.00", "1e-6176", "9.999999999999999999999999999999999e6144", "inf", "nan",
    ] {
      let number = try #require(Decimal128(text))
      let read = number.storedBytes.withUnsafeBytes { Decimal128(storedBytes: $0) }
      #expect(read?.bits.high == number.bits.high && read?.bits.low == number.bits.low, "\(text)")
    }
  }

  // MARK: Errors

  /// An error of storage, and its text as one of the engine.
  struct Failure: Sendable {
    let error: StorageError
    let message: String
  }

  static let failures = [
    Failure(error: .notAStore(path: "a"), message: "'a' is not a store"),
    Failure(error: .damaged(path: "", reason: "r"), message: "the store in memory is damaged: r"),
    Failure(
      error: .madeMeanwhile(path: "a"),
      message:
        "another program made 'a' during this transaction, which was rolled back; run it again"),
    Failure(
      error: .commitInJournal(path: "a"),
      message:
        "cannot open 'a': its last commit is still in the journal; open it once for writing, "
        + "which applies the commit"),
    Failure(error: .locked(path: "a"), message: "'a' is locked by another program"),
    Failure(error: .full(path: "a"), message: "no space left for 'a'"),
    Failure(error: .readOnly, message: "the store is read-only"),
    Failure(error: .interrupted, message: "interrupted"),
    Failure(
      error: .failed(operation: "commit", code: 5, reason: "no"),
      message: "storage failed: commit: no"),
  ]

  @Test(arguments: failures)
  func `an error of storage is rethrown with its path and reason`(_ failure: Failure) {
    let text = errorText { try stored { () throws(StorageError) in throw failure.error } }
    #expect(text == failure.message)
  }
}
