/// An operation that programs perform often. The raw values are the names in Benchmarks/instructions.tsv.
enum FrequentOperation: String, CaseIterable {
  case readInt = "an int of a held object"
  case readString = "a string of a held object"
  case readByNumber = "an object by its number, and its int"
  case countIndexed = "the count of an indexed equality"
  case countScanned = "the count of a comparison, 10,000 rows"
  case set = "a property set, with its commit"
  case setObserved = "the same, observed filtered and sorted"
  case setObject = "the same, its object observed"
  case setInFile = "a property set in a file, with its commit"
  case add = "an object added, with its commit"
  case addMany = "an object added, one of many in a commit"
  case addColumns = "the same, by columns"
  case observe = "a new observer's first rows, 10,000"
  case setFiltered = "a property set, for 1,000 observed filters"
  case setRanged = "the same for two of 10,000 filters"

  /// How often the shorter of two runs performs it.
  var repetitions: Int {
    switch self {
    case .readInt, .readString, .readByNumber: 20_000
    case .countIndexed: 1_000
    case .countScanned: 100
    case .set, .setObserved, .setObject, .setInFile, .add: 1_000
    case .addMany, .addColumns: 10_000
    case .observe: 5
    case .setFiltered: 20
    case .setRanged: 500
    }
  }
}
