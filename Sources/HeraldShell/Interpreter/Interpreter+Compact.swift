import Herald

extension Interpreter {
  /// Puts the store into a new file without free pages, and says what that has given.
  func compact(_ span: SourceSpan, _ context: Context) throws {
    var shown = -1
    let sizes: StoreCompaction
    do {
      sizes = try store(context).compact { [options] progress in
        let percent = Int(progress.fraction * 100)
        guard percent != shown else { return }
        shown = percent
        options.progress?("compact", .percent(percent))
      }
    } catch {
      throw placed(error, context.source, span)
    }
    emit(
      .answer(
        [
          "compacted: \(ByteCount(sizes.before).text) before, \(ByteCount(sizes.after).text) now"
        ],
        .map([
          OutputValue.Field(name: "before", value: .plain(.int(sizes.before))),
          OutputValue.Field(name: "after", value: .plain(.int(sizes.after))),
        ])))
  }
}
