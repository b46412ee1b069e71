import HeraldModel
import HeraldObservation

// kind = byte 0 insert, count at, count n | 1 remove, count at | 2 move, count from, count to
//      | 3 replace, count at, value | 4 clear | 5 set key, string, value | 6 remove key, string
//      | 7 assign, value | 8 assign, value unknown

extension ByteWriter {
  mutating func insides(_ insides: [PropertyID: [ObjectNumber: NestedChange]]) {
    byProperty(insides) { writer, change in
      writer.count(change.commits.count)
      for commit in change.commits {
        writer.count(commit.operations.count)
        for operation in commit.operations {
          writer.steps(operation.path)
          writer.kind(operation.kind)
        }
      }
    }
  }

  private mutating func steps(_ steps: [ValueStep]) {
    count(steps.count)
    for step in steps {
      switch step {
      case .row(let row):
        byte(0)
        count(row)
      case .key(let key):
        byte(1)
        string(key)
      }
    }
  }

  private mutating func kind(_ kind: NestedOperation.Kind) {
    switch kind {
    case .insert(let at, let count): numbers(0, at, count)
    case .remove(let at): numbers(1, at)
    case .move(let from, let to): numbers(2, from, to)
    case .replace(let at, let new):
      numbers(3, at)
      value(new)
    case .clear: byte(4)
    case .setKey(let key, let new):
      byte(5)
      string(key)
      value(new)
    case .removeKey(let key):
      byte(6)
      string(key)
    case .assign(let new?):
      byte(7)
      value(new)
    case .assign(nil): byte(8)
    }
  }

  private mutating func numbers(_ tag: UInt8, _ numbers: Int...) {
    byte(tag)
    for number in numbers { count(number) }
  }
}

extension ByteReader {
  mutating func insides() throws(DamagedBytes) -> [PropertyID: [ObjectNumber: NestedChange]] {
    try byProperty { reader throws(DamagedBytes) in
      var commits: [[NestedOperation]] = []
      for _ in 0..<(try reader.length()) {
        var operations: [NestedOperation] = []
        for _ in 0..<(try reader.length()) {
          let steps = try reader.steps()
          operations.append(NestedOperation(steps, try reader.kind()))
        }
        commits.append(operations)
      }
      return NestedChange(commits)
    }
  }

  private mutating func steps() throws(DamagedBytes) -> [ValueStep] {
    var steps: [ValueStep] = []
    for _ in 0..<(try length()) {
      switch try byte() {
      case 0: steps.append(.row(try row()))
      case 1: steps.append(.key(try string()))
      case _: throw DamagedBytes()
      }
    }
    return steps
  }

  private mutating func kind() throws(DamagedBytes) -> NestedOperation.Kind {
    switch try byte() {
    case 0: .insert(at: try row(), count: try row())
    case 1: .remove(at: try row())
    case 2: .move(from: try row(), to: try row())
    case 3: .replace(at: try row(), with: try value())
    case 4: .clear
    case 5: .setKey(try string(), try value())
    case 6: .removeKey(try string())
    case 7: .assign(try value())
    case 8: .assign(nil)
    case _: throw DamagedBytes()
    }
  }
}
