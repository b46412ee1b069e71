import HeraldModel
import HeraldQuery

/// The rows of a query at one moment.
enum QueryRows {
  /// The rows of a query with an order or a limit of its own.
  case numbers([ObjectNumber])
  /// The rows of any other: in order of creation.
  case blocks(RowMasks)

  var count: Int {
    switch self {
    case .numbers(let numbers): numbers.count
    case .blocks(let blocks): blocks.count
    }
  }

  subscript(index: Int) -> ObjectNumber {
    switch self {
    case .numbers(let numbers): numbers[index]
    case .blocks(let blocks): blocks[index]
    }
  }

  func index(of number: ObjectNumber) -> Int? {
    switch self {
    case .numbers(let numbers): numbers.firstIndex(of: number)
    case .blocks(let blocks): blocks.index(of: number)
    }
  }

  /// Every row.
  var numbers: [ObjectNumber] {
    switch self {
    case .numbers(let numbers): numbers
    case .blocks(let blocks): blocks.numbers
    }
  }
}
