extension OrderedSequence {
  /// What is wrong with the sequence; empty where nothing is. O(n).
  var violations: [String] {
    var found: [String] = []
    var sum = 0
    var times: [UInt32: Int] = [:]
    for (place, slot) in order.enumerated() {
      let block = blocks[Int(slot)]
      if Int(places[Int(slot)]) != place { found.append("slot \(slot) is not at place \(place)") }
      if tree.sum(before: place) != sum { found.append("place \(place) begins elsewhere") }
      if block.isEmpty { found.append("slot \(slot) is empty") }
      if block.count > Self.blockLimit { found.append("slot \(slot) has \(block.count) rows") }
      for number in block {
        times[number, default: 0] += 1
        if !slots.slots(of: number).contains(slot) {
          found.append("number \(number) does not know slot \(slot)")
        }
      }
      sum += block.count
    }
    if headChanges.count != blocks.count {
      found.append("changes of \(headChanges.count) first rows are counted")
    }
    if sum != count { found.append("\(sum) rows are counted as \(count)") }
    for (number, times) in times where positions(of: Int(number)).count != times {
      found.append("number \(number) stands \(times) times")
    }
    return found
  }
}
