extension OrderedSequence {
  /// The invariants of the sequence that do not hold. O(n).
  var violations: [String] {
    var found: [String] = []
    var sum = 0
    var times: [UInt32: Int] = [:]
    for (index, slot) in order.enumerated() {
      let block = blocks.withRows(of: slot) { Array($0) }
      if Int(blockIndices[Int(slot)]) != index { found.append("slot \(slot) is not at \(index)") }
      if tree.sum(before: index) != sum { found.append("the sum before block \(index) is wrong") }
      if block.isEmpty { found.append("slot \(slot) is empty") }
      if block.count >= MarkedBlocks.capacity {
        found.append("slot \(slot) has \(block.count) rows")
      }
      for number in block {
        times[number, default: 0] += 1
        if !slots.slots(of: number).contains(slot) {
          found.append("number \(number) has no entry for slot \(slot)")
        }
      }
      sum += block.count
    }
    if headChanges.count != blocks.slotCount {
      found.append("\(headChanges.count) change counts of first rows")
    }
    if sum != count { found.append("\(sum) rows, but the count is \(count)") }
    for (number, times) in times where positions(of: Int(number)).count != times {
      found.append("number \(number) appears \(times) times")
    }
    return found
  }
}
