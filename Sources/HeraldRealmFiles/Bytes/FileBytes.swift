import Glibc

/// The bytes of a file, after decryption: what refs are offsets into.
///
/// Pointers into it are valid as long as it lives. Every access goes through `pointer(at:count:)`,
/// which checks the bounds and, in an encrypted file, decrypts the pages that it needs.
final class FileBytes: @unchecked Sendable {
  // The state is constant after `init`; `pages` has a lock of its own.
  private let base: UnsafeRawPointer
  /// The number of bytes.
  let count: Int
  private let owner: Owner

  /// What the memory belongs to.
  private enum Owner {
    case mapping
    case allocation
    case pages(EncryptedPages)
  }

  /// Maps the file at `path`, read-only.
  ///
  /// The file must not be cut while it is mapped: bytes that are gone then raise a signal. The
  /// documented system never does that; it makes a new file and renames it.
  init(path: String) throws(Fault) {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Fault(.cannotOpen(code: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Fault(.cannotOpen(code: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(.notRegular) }
    guard status.st_size >= FileHeader.length else { throw Fault(.notRealm) }
    let size = Int(status.st_size)
    guard let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
    else { throw Fault(.cannotOpen(code: errno)) }
    base = UnsafeRawPointer(mapped)
    count = size
    owner = .mapping
  }

  /// Copies bytes.
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    base = UnsafeRawPointer(copy)
    count = bytes.count
    owner = .allocation
  }

  /// The decrypted bytes of pages.
  init(_ pages: EncryptedPages) {
    base = pages.plain
    count = pages.count
    owner = .pages(pages)
  }

  deinit {
    switch owner {
    case .mapping: munmap(UnsafeMutableRawPointer(mutating: base), count)
    case .allocation: UnsafeMutableRawPointer(mutating: base).deallocate()
    case .pages: break
    }
  }

  /// Returns a pointer to `length` bytes from `offset` on.
  ///
  /// Throws if they are not all in the file, or if a page cannot be decrypted.
  @inline(__always)
  func pointer(at offset: Int, count length: Int) throws(Fault) -> UnsafeRawPointer {
    guard offset >= 0, length >= 0, length <= count, offset <= count - length else {
      throw Fault(.outside, at: offset)
    }
    if case .pages(let pages) = owner { try pages.decrypt(offset, count: length) }
    return base + offset
  }

  /// Returns the 64-bit number at a byte.
  func word(at offset: Int) throws(Fault) -> UInt64 {
    UInt64(littleEndian: try pointer(at: offset, count: 8).loadUnaligned(as: UInt64.self))
  }
}
