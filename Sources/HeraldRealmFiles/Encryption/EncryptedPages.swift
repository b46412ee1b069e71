import Glibc
import Synchronization

/// The data pages of an encrypted file, each decrypted when it is first asked for.
///
/// The decrypted bytes are in memory that the system provides page by page, so that only what was
/// asked for takes memory, and refs are offsets into it as into a mapped file.
final class EncryptedPages: @unchecked Sendable {
  // `states` guards the writes to `plain`: a page is written once, before its state says so, and its
  // bytes are read only after `decrypt` returned.
  private let file: FileBytes
  private let memory: UnsafeMutableRawPointer
  private let states: Mutex<[PageState]>
  private let libcrypto: Libcrypto
  private let context: OpaquePointer
  private let codeKey: ArraySlice<UInt8>

  /// The number of decrypted bytes.
  let count: Int
  /// The first decrypted byte.
  var plain: UnsafeRawPointer { UnsafeRawPointer(memory) }

  /// The number of bytes of a key: half for AES-256, half for the authentication codes.
  static let keyLength = 64

  private enum PageState: UInt8 {
    case encrypted
    case decrypted
    case damaged
  }

  /// Prepares the pages of `file`; decrypts none.
  init(_ file: FileBytes, key: [UInt8]) throws(Fault) {
    guard key.count == Self.keyLength else { throw Fault(.keyLength(key.count)) }
    let pages = EncryptionLayout.pageCount(ofFile: file.count)
    guard pages > 0 else { throw Fault(.notRealm) }
    let libcrypto = try Libcrypto()
    let count = pages * EncryptionLayout.pageLength
    guard
      let memory = mmap(
        nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      memory != MAP_FAILED
    else { throw Fault(.cannotOpen(code: errno)) }
    guard let context = libcrypto.makeContext(key: key.prefix(Self.keyLength / 2)) else {
      munmap(memory, count)
      throw Fault(.noLibcrypto)
    }
    self.file = file
    self.count = count
    self.memory = memory
    self.libcrypto = libcrypto
    self.context = context
    codeKey = key.suffix(Self.keyLength / 2)
    states = Mutex(Array(repeating: .encrypted, count: pages))
  }

  deinit {
    libcrypto.free(context)
    munmap(memory, count)
  }

  /// Decrypts the pages of these bytes, which are within `count`, unless they are.
  ///
  /// Throws `damagedPage` if one does not agree with its authentication code, each time.
  func decrypt(_ offset: Int, count: Int) throws(Fault) {
    guard count > 0 else { return }
    let first = offset / EncryptionLayout.pageLength
    let last = (offset + count - 1) / EncryptionLayout.pageLength
    let damaged = states.withLock { states -> Int? in
      for page in first...last {
        if states[page] == .encrypted { states[page] = decryptPage(page) }
        if states[page] == .damaged { return page }
      }
      return nil
    }
    if let damaged { throw Fault(.damagedPage, at: damaged * EncryptionLayout.pageLength) }
  }

  private func decryptPage(_ page: Int) -> PageState {
    let length = EncryptionLayout.pageLength
    guard
      let source = try? file.pointer(
        at: EncryptionLayout.offset(ofPage: page), count: length),
      let record = try? file.pointer(
        at: EncryptionLayout.offset(ofRecord: page), count: EncryptionLayout.recordLength)
    else { return .damaged }
    let bytes = UnsafeRawBufferPointer(start: source, count: length)
    // A page that was never written is zeros, as the memory is.
    if record.loadUnaligned(as: UInt32.self) == 0 { return .decrypted }
    for half in [record, record + EncryptionLayout.recordLength / 2] {
      let vector = half.loadUnaligned(as: UInt32.self)
      let code = UnsafeRawBufferPointer(start: half + 4, count: Libcrypto.codeLength)
      guard vector != 0, libcrypto.isCode(code, of: bytes, key: codeKey) else { continue }
      return decrypt(bytes, page: page, vector: vector) ? .decrypted : .damaged
    }
    return bytes.allSatisfy { $0 == 0 } ? .decrypted : .damaged
  }

  private func decrypt(_ bytes: UnsafeRawBufferPointer, page: Int, vector: UInt32) -> Bool {
    let position = page * EncryptionLayout.pageLength
    var initialVector: (UInt32, UInt32, UInt32, UInt32) = (
      vector, UInt32(truncatingIfNeeded: position).littleEndian,
      UInt32(truncatingIfNeeded: position >> 32).littleEndian, 0
    )
    return withUnsafeBytes(of: &initialVector) { vector in
      guard let vector = vector.baseAddress else { return false }
      return libcrypto.decrypt(
        bytes, to: memory + position, initialVector: vector, context: context)
    }
  }
}
