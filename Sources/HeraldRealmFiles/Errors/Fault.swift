/// What is wrong at one position of the file: the error before class, property and object are added.
///
/// It is small and has no references, so that functions which throw it cost nothing.
struct Fault: Error, Equatable {
  /// What is wrong.
  let reason: RealmFileError.Reason
  /// The byte of the decrypted file; nil if it concerns the whole file.
  let position: Int?

  /// Makes the fault with this reason, found at this byte of the file.
  init(_ reason: RealmFileError.Reason, at position: Int? = nil) {
    self.reason = reason
    self.position = position
  }
}
