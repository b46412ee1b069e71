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
      // Only the form of the present mode is made: a large file may have a million losses.
      emit(mode == .json ? .report([], .map(report.fields)) : .report(report.lines, .map([])))
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
}

extension RepairReport {
  /// What is said at a terminal.
  fileprivate var lines: [String] {
    var lines = lost.map(\.description)
    if lossCount > lost.count {
      lines.append("and \(lossCount - lost.count) more")
    }
    for count in counts {
      let name = [count.className ?? "the store", count.property.map { "'\($0)'" }]
      lines.append("lost from \(name.compactMap(\.self).joined(separator: " ")): \(count.count)")
    }
    let objects = objects == 1 ? "1 object" : "\(objects) objects"
    lines.append("\(objects), \(lossCount == 0 ? "nothing" : "\(lossCount)") lost")
    return lines
  }

  /// What is said in JSON.
  fileprivate var fields: [OutputValue.Field] {
    func plain(_ name: String, _ value: Value?) -> OutputValue.Field? {
      value.map { OutputValue.Field(name, $0) }
    }
    let counts = counts.map { count in
      OutputValue.map(
        [
          plain("class", count.className.map { .string($0) } ?? .null),
          plain("property", count.property.map { .string($0) }), plain("count", .int(count.count)),
        ].compactMap(\.self))
    }
    let lost = lost.map { loss in
      OutputValue.map(
        [
          plain("class", loss.className.map { .string($0) } ?? .null), plain("key", loss.key),
          loss.key == nil ? plain("number", loss.number.map { .int($0) }) : nil,
          plain("property", loss.property.map { .string($0) }),
          plain("reason", .string(loss.reason)),
        ].compactMap(\.self))
    }
    return [
      plain("objects", .int(objects)),
      plain("version", version.map { .int($0) } ?? .null),
      OutputValue.Field(name: "lost", value: .list(lost)),
      OutputValue.Field(name: "counts", value: .list(counts)),
    ].compactMap(\.self)
  }
}
