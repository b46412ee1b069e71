import Herald
import HeraldRepair

extension Interpreter {
  /// Creates a new store from what can be read of a damaged one, as a run of its own: losses determine the
  /// exit status and are not reported as an error.
  package func repair(file path: String, to new: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    do {
      let report = try Store.repair(
        path: File.expanded(path), to: File.expanded(new), interruption: interruption)
      emit(report)
      if report.lossCount > 0 { note(exitStatus: Diagnostic.problems(0, path: nil).exitStatus) }
    } catch { self.report(located(reading(error), source, noSpan)) }
    output.flush()
  }

  /// Puts the commits of a file back into a stream that has lost them: `herald replicate FILE to ADDRESS`.
  package func replicate(file path: String, to address: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    do {
      guard let refillStream = options.refillStream else {
        throw HeraldError.cannotOpen(path: address, reason: "this program opens no streams")
      }
      let (versions, newest) = try refillStream(path, address)
      let fields = [
        OutputValue.Field("stream", .string(address)),
        OutputValue.Field("version", .int(newest)),
        OutputValue.Field("putBack", .int(versions.count)),
      ]
      let line =
        switch versions.count {
        case 0: "nothing to put back: the stream has every commit of '\(path)', version \(newest)"
        case 1: "put back version \(versions.lowerBound)"
        case _: "put back \(versions.count) commits, versions \(versions.lowerBound) to \(newest)"
        }
      emit(.report([line], .map(fields)))
    } catch { report(located(reading(error), source, noSpan)) }
    output.flush()
  }

  /// Distinguishes errors of reading a file from those of writing what is made of it.
  private func reading(_ error: any Error) -> any Error {
    switch error as? HeraldError {
    case .cannotOpen?, .notAStore?, .newerFormat?, .olderFormat?, .locked?, .damaged?:
      (error as? HeraldError).map { Diagnostic.opening($0, path: nil) } ?? error
    case _: error
    }
  }

  /// Makes only the form of the present mode: a large file may have a million losses.
  private func emit(_ report: RepairReport) {
    emit(mode == .json ? .report([], .map(fields(report))) : .report(lines(report), .map([])))
  }

  private func lines(_ report: RepairReport) -> [String] {
    var lines = report.lost.map(\.description)
    if report.lossCount > report.lost.count {
      lines.append("and \(report.lossCount - report.lost.count) more")
    }
    for count in report.counts {
      let name = [count.className ?? "the store", count.property.map { "'\($0)'" }]
      lines.append("lost from \(name.compactMap(\.self).joined(separator: " ")): \(count.count)")
    }
    let objects = report.objects == 1 ? "1 object" : "\(report.objects) objects"
    lines.append("\(objects), \(report.lossCount == 0 ? "nothing" : "\(report.lossCount)") lost")
    return lines
  }

  private func fields(_ report: RepairReport) -> [OutputValue.Field] {
    func plain(_ name: String, _ value: Value?) -> OutputValue.Field? {
      value.map { OutputValue.Field(name, $0) }
    }
    let counts = report.counts.map { count in
      OutputValue.map(
        [
          plain("class", count.className.map { .string($0) } ?? .null),
          plain("property", count.property.map { .string($0) }), plain("count", .int(count.count)),
        ].compactMap(\.self))
    }
    let lost = report.lost.map { loss in
      OutputValue.map(
        [
          plain("class", loss.className.map { .string($0) } ?? .null), plain("key", loss.key),
          loss.key == nil ? plain("number", loss.number.map { .int($0) }) : nil,
          plain("property", loss.property.map { .string($0) }),
          plain("reason", .string(loss.reason)),
        ].compactMap(\.self))
    }
    return [
      plain("objects", .int(report.objects)),
      plain("version", report.version.map { .int($0) } ?? .null),
      OutputValue.Field(name: "lost", value: .list(lost)),
      OutputValue.Field(name: "counts", value: .list(counts)),
    ].compactMap(\.self)
  }
}
