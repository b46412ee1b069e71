import Glibc

/// The functions of OpenSSL 3 that decrypt, from the library that is installed.
///
/// It is loaded when the first file is opened with a key, and never unloaded: a program that opens
/// no encrypted file does not need it.
struct Libcrypto {
  private typealias NewContext = @convention(c) () -> OpaquePointer?
  private typealias FreeContext = @convention(c) (OpaquePointer?) -> Void
  private typealias Algorithm = @convention(c) () -> OpaquePointer?
  private typealias DecryptInit =
    @convention(c) (
      OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafeRawPointer?, UnsafeRawPointer?
    ) -> Int32
  private typealias SetPadding = @convention(c) (OpaquePointer?, Int32) -> Int32
  private typealias DecryptUpdate =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?, UnsafeRawPointer?,
      Int32
    ) -> Int32
  private typealias Digest =
    @convention(c) (
      OpaquePointer?, UnsafeRawPointer?, Int32, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?,
      UnsafeMutablePointer<UInt32>?
    ) -> OpaquePointer?

  private let newContext: NewContext
  private let freeContext: FreeContext
  private let cipher: OpaquePointer
  private let digest: OpaquePointer
  private let decryptInit: DecryptInit
  private let setPadding: SetPadding
  private let decryptUpdate: DecryptUpdate
  private let hmac: Digest

  /// Loads the library. Throws `noLibcrypto` if it is not installed or lacks a function.
  init() throws(Fault) {
    guard let library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) else {
      throw Fault(.noLibcrypto)
    }
    newContext = try Self.function("EVP_CIPHER_CTX_new", of: library)
    freeContext = try Self.function("EVP_CIPHER_CTX_free", of: library)
    decryptInit = try Self.function("EVP_DecryptInit_ex", of: library)
    setPadding = try Self.function("EVP_CIPHER_CTX_set_padding", of: library)
    decryptUpdate = try Self.function("EVP_DecryptUpdate", of: library)
    hmac = try Self.function("HMAC", of: library)
    let aes: Algorithm = try Self.function("EVP_aes_256_cbc", of: library)
    let sha: Algorithm = try Self.function("EVP_sha224", of: library)
    guard let cipher = aes(), let digest = sha() else { throw Fault(.noLibcrypto) }
    self.cipher = cipher
    self.digest = digest
  }

  private static func function<Function>(
    _ name: String, of library: UnsafeMutableRawPointer
  ) throws(Fault) -> Function {
    guard let symbol = dlsym(library, name) else { throw Fault(.noLibcrypto) }
    return unsafeBitCast(symbol, to: Function.self)
  }

  /// The number of bytes of an HMAC-SHA-224.
  static let codeLength = 28

  /// Returns whether `code` is the HMAC-SHA-224 of `bytes` with `key`.
  func isCode(
    _ code: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer, key: ArraySlice<UInt8>
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { result in
      var length: UInt32 = 0
      let isMade = key.withUnsafeBytes { key in
        hmac(
          digest, key.baseAddress, Int32(key.count), bytes.baseAddress, bytes.count,
          result.baseAddress, &length) != nil
      }
      guard isMade, Int(length) == Self.codeLength, code.count == Self.codeLength else {
        return false
      }
      return code.elementsEqual(result.prefix(Self.codeLength))
    }
  }

  /// Makes a decryption context for AES-256-CBC without padding; nil if the library refuses.
  func makeContext(key: ArraySlice<UInt8>) -> OpaquePointer? {
    guard let context = newContext() else { return nil }
    let isReady = key.withUnsafeBytes { key in
      decryptInit(context, cipher, nil, key.baseAddress, nil) == 1
    }
    guard isReady, setPadding(context, 0) == 1 else {
      freeContext(context)
      return nil
    }
    return context
  }

  /// Frees a context.
  func free(_ context: OpaquePointer) { freeContext(context) }

  /// Decrypts `bytes`, a multiple of 16, to `target`, which has as many; false if the library refuses.
  func decrypt(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer,
    initialVector: UnsafeRawPointer, context: OpaquePointer
  ) -> Bool {
    var length: Int32 = 0
    guard let count = Int32(exactly: bytes.count),
      decryptInit(context, nil, nil, nil, initialVector) == 1,
      decryptUpdate(context, target, &length, bytes.baseAddress, count) == 1
    else { return false }
    return length == count
  }
}
