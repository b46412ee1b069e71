import HeraldModel
import HeraldQuery
import TestSupport
import Testing

/// Numbers as they are written: the way for short ones gives what the way for all gives.
struct NumberTextTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a number with a point is the double that keeps its digits, else a decimal`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let digits = { (count: Int) in
        String((0..<count).map { _ in "0123456789".randomElement(using: &random)! })
      }
      let whole = digits(Int.random(in: 1...12, using: &random))
      let fraction = digits(Int.random(in: 1...9, using: &random))
      let text = "\(Bool.random(using: &random) ? "-" : "")\(whole).\(fraction)"
      let decimal = try #require(Decimal128(text))
      let nearest = try #require(Double(text))
      let expected: Value = Decimal128(nearest) == decimal ? .double(nearest) : .decimal(decimal)
      let found = NumberText.value(text)
      if found != expected { Issue.record("seed \(seed): \(text) is \(found as Value?)") }
    }
  }

  @Test func `zeros keep their signs, and half a number is none`() {
    #expect(NumberText.value("0.0") == .double(0))
    guard case .double(let zero)? = NumberText.value("-0.0") else {
      Issue.record("-0.0 is no double")
      return
    }
    #expect(zero.sign == .minus)
    for text in ["", "-", ".", "-.", "1.2.3", "1..2", "1.x", "--1.5", "+-1.5"] {
      #expect(NumberText.value(text) == nil)
    }
    #expect(NumberText.value("123456789012.345") == .double(123456789012.345))
  }
}
