// The bytes that a view takes, without the headers of its heap objects: for `explanation`.

extension ResultsView {
  var byteCount: Int {
    var sum = rows.rows.byteCount + (collection?.byteCount ?? 0)
    for stage in stages {
      switch stage {
      case .ordered(let stage): sum += stage.rows.byteCount
      case .distinct(let stage): sum += stage.rows.byteCount + stage.passed.byteCount
      case .filter(let stage): sum += stage.passed.byteCount
      }
    }
    return sum
  }
}

extension CollectionView {
  var byteCount: Int {
    switch self {
    case .list(let view):
      switch view.rows {
      case .objects(let sequence): sequence.byteCount
      case .links(let rows): rows.sequence.byteCount
      case .values: 0
      }
    case .set: 0
    case .map(let view): view.keys.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
    case .backlinks(let view): view.rows.byteCount
    }
  }
}

extension MemberSet {
  var byteCount: Int { few.capacity * 4 + words.capacity * 8 + tree.byteCount }
}

extension CountTree {
  var byteCount: Int { entryCount * 4 }
}
