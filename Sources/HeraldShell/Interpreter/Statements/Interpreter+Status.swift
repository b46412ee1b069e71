import Herald

extension Interpreter {
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
    } catch {
      report(located(Self.replicating(error), source, noSpan))
    }
    output.flush()
  }

  /// Distinguishes errors of reading the file from those of writing to the stream.
  private static func replicating(_ error: any Error) -> any Error {
    switch error as? HeraldError {
    case .cannotOpen?, .notAStore?, .newerFormat?, .olderFormat?, .locked?, .damaged?:
      (error as? HeraldError).map { Diagnostic.opening($0, path: nil) } ?? error
    case _: error
    }
  }
}
