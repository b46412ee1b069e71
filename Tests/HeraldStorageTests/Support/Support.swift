import Glibc
import HeraldStorage
import Testing

/// Runs a test on a new store and checks the whole store behind it.
func withStore(
  _ location: StorageEnvironment.Location = .memory, _ body: (StorageEnvironment) throws -> Void
) throws {
  let environment = try StorageEnvironment.open(location)
  try body(environment)
  try expectSound(environment)
}

/// Fails the test with whatever a recount of the store finds wrong.
func expectSound(
  _ environment: StorageEnvironment, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try environment.beginRead().check()
  #expect(found.isEmpty, sourceLocation: sourceLocation)
}

/// Lends a folder of the test's own, and takes it away with everything in it.
func withFolder(_ body: (String) throws -> Void) throws {
  var template = [CChar]("/tmp/herald-tests-XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  defer {
    for name in names(in: folder) {
      unlink("\(folder)/\(name)")
      rmdir("\(folder)/\(name)")
    }
    rmdir(folder)
  }
  try body(folder)
}

/// The names in a folder, in order.
func names(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    bytes += buffer.prefix(count)
  }
  return bytes
}

func positions(of wanted: [UInt8], in bytes: [UInt8]) -> [Int] {
  (0...bytes.count - wanted.count).filter { bytes[$0...].starts(with: wanted) }
}

func write(_ bytes: [UInt8], to path: String) throws {
  let file = try #require(fopen(path, "w"))
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

extension StorageEnvironment {
  /// One write transaction, committed.
  @discardableResult
  func write(_ body: (inout WriteTransaction) throws -> Void) throws -> Int {
    var transaction = try beginWrite()
    try body(&transaction)
    return try transaction.commit()
  }
}

extension SIMD4<UInt64> {
  func has(_ row: Int) -> Bool { self[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  init(rows: some Sequence<Int>) {
    self = .zero
    for row in rows { self[row >> 6] |= 1 << UInt64(row & 63) }
  }
}
