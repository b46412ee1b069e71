import Herald

/// `compact`: compacts the store's file, and reports its size before and after.
struct CompactStatement: StatementForm {
  static let command = Command(
    "compact", ["compact"], "return the free pages of the store's file to the disk",
    [
      "Copies the store without the pages that no version needs, and replaces the file "
        + "atomically: after a power failure either the old file or the new one is there. Until "
        + "then the disk needs room for both. Writers wait meanwhile; readers do not.",
      "Other sessions and programs that have the store open switch to the new file by "
        + "themselves, and miss no change that they observe. A reader that holds a version "
        + "continues with the old file, whose space is freed when nobody reads it any more.",
    ], examples: ["backup to pets.hdb", "open pets.hdb; compact"], parse: { _ in Self() })

  func run(in context: Context) throws {
    var shown = -1
    let sizes: StoreCompaction
    do {
      sizes = try context.store.compact { progress in
        let percent = Int(progress.fraction * 100)
        guard percent != shown else { return }
        shown = percent
        context.shell.options.progress?("compact", .percent(percent))
      }
    } catch { throw located(error, context.source, context.span) }
    context.emit(
      .report(
        [
          "compacted: \(ByteCount(sizes.before).text) before, \(ByteCount(sizes.after).text) now"
        ],
        .map([
          OutputValue.Field("before", .int(sizes.before)),
          OutputValue.Field("after", .int(sizes.after)),
        ])))
  }
}
