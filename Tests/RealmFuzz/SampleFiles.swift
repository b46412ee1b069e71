import Glibc

/// The files that are damaged.
enum SampleFiles {
  /// Reads a whole file; nil if it cannot be read.
  static func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }

  /// The bytes that hexadecimal digits stand for; other characters are ignored.
  static func hexadecimalBytes(_ text: [UInt8]) -> [UInt8] {
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// The paths of files below a folder whose names have this suffix, sorted.
  static func files(below folder: String, suffix: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = folder + "/" + name
      if entry.pointee.d_type == DT_DIR, !name.hasPrefix(".") {
        paths += files(below: path, suffix: suffix)
      } else if name.hasSuffix(suffix) {
        paths.append(path)
      }
    }
    return paths.sorted()
  }

  /// Seconds of a clock that only goes forward.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
