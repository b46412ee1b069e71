import CMalloc
import Glibc

/// The machine of the measurements.
enum Machine {
  /// One line with processor, cores, memory, kernel and load.
  static var description: String {
    var system = utsname()
    uname(&system)
    let kernel = withUnsafeBytes(of: &system.release) { text($0) }
    let architecture = withUnsafeBytes(of: &system.machine) { text($0) }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let processor = field("model name", of: "/proc/cpuinfo") ?? architecture
    var load = 0.0
    getloadavg(&load, 1)
    return "\(processor), \(cores) cores, \(memory >> 30) GiB, Linux \(kernel) \(architecture), "
      + "load \(Double(Int(load * 10)) / 10)"
  }

  /// The bytes allocated on the heap.
  static var heapBytes: Int {
    let state = mallinfo2()
    return Int(state.uordblks) + Int(state.hblkhd)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the value of the first `name : value` line of a file.
  static func field(_ name: String, of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBytes { self.text($0) }
      guard text.hasPrefix(name), let colon = text.firstIndex(of: ":") else { continue }
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return String(value.prefix { $0 != "\n" })
    }
    return nil
  }
}
