import TestSupport
import Testing

@testable import HeraldEngine

/// The versions of sessions, and the oldest of them.
@Suite struct SessionVersionsTests {
  @Test(arguments: 1...20)
  func `the oldest version is that of some session after any moves`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var versions = SessionVersions()
    var held: [Int: Int] = [:]
    var version = 0
    for _ in 0..<500 {
      version += 1
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let place = versions.add(version)
        #expect(held[place] == nil)
        held[place] = version
      case 1:
        guard let place = held.keys.sorted().randomElement(using: &random) else { continue }
        versions.remove(place)
        held[place] = nil
      default:
        guard let place = held.keys.sorted().randomElement(using: &random) else { continue }
        versions.move(place, to: version)
        held[place] = version
      }
      #expect(versions.violations == [])
      #expect(versions.oldest == held.values.min() ?? .max)
      #expect(versions.count == held.count)
    }
  }
}
