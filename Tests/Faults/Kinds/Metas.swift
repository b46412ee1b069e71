import ArgumentParser
import TestSupport

/// Every bit of the two meta pages at the beginning of a file, flipped one at a time.
struct Metas: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Single bits of both meta pages. In full: 2432, all of them.")

  @OptionGroup var options: FaultOptions

  /// The number of used bytes in a meta page.
  private static let length = 152

  func run() throws {
    let bench = try Bench("metas", options)
    var random = bench.random(-1)
    let world = try World(bench, objects: 60, &random)
    let trial = try DamageTrial(bench)
    // A smaller number of bits is spread over both pages.
    let bits = 2 * Self.length * 8
    let step = max(1, bits / max(1, options.count ?? 60))
    let chosen = options.only.map { [$0] } ?? Array(stride(from: 0, to: bits, by: step))
    for bit in chosen where !bench.isOver {
      let offset = bit / 8 / Self.length * 4096 + bit / 8 % Self.length
      var bytes = world.bytes
      bytes[offset] ^= 1 << UInt8(bit % 8)
      try trial.run(bit, "bit \(bit % 8) of byte \(offset)", bytes, bytes.count, world)
    }
    try bench.finish()
  }
}
