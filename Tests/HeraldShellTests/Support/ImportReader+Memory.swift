@testable import HeraldShell

extension ImportReader {
  /// A reader of bytes in memory.
  init(_ bytes: [UInt8], _ form: ImportForm = ImportForm()) throws(Failure) {
    let input: ImportInput
    do throws(File.Failure) {
      input = try ImportInput(MemorySource(bytes), encoding: form.encoding)
    } catch {
      throw Failure(line: 1, reason: error.reason)
    }
    try self.init(input, form)
  }
}
