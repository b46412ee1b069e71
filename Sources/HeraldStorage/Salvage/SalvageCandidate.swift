/// A version of a store that may be the one to take from a file: where its trees begin, and its state.
struct SalvageCandidate {
  /// The roots of its databases; empty where no page tells of them.
  let roots: [RecordSpace: UInt64]
  /// The pages that are free in it; nil where that is not known.
  let free: PageSet?
  /// Nil where no state was found at all.
  let state: StoreState?
  /// Whether a meta page and the state that it leads to agree.
  let isSound: Bool

  private init(
    roots: [RecordSpace: UInt64], free: PageSet?, state: StoreState?, isSound: Bool
  ) {
    self.roots = roots
    self.free = free
    self.state = state
    self.isSound = isSound
  }

  /// The versions that a file has something of, the best first. Where both meta pages are sound, that is
  /// the newest of the two alone, and costs some pages; else all of the file is looked at.
  static func all(of file: SalvageFile) -> [SalvageCandidate] {
    let metas = file.metas
    let states = metas.map { file.state(file.trees(of: $0.main.root)) }
    if metas.count == 2, let newest = states[0], newest.transaction == metas[0].transaction,
      isBefore(metas[1], states[1], metas[0])
    {
      return [SalvageCandidate(metas[0], newest, file)]
    }
    var candidates: [SalvageCandidate] = []
    var seen: Set<UInt64> = []
    for (meta, state) in zip(metas, states) {
      guard let state, state.transaction == meta.transaction else { continue }
      candidates.append(SalvageCandidate(meta, state, file))
      seen.insert(meta.main.root)
    }
    let scan = StateScan(file)
    for page in scan.mains where !seen.contains(page) {
      let roots = file.trees(of: page)
      guard let state = file.state(roots) else { continue }
      candidates.append(
        SalvageCandidate(
          roots: roots, free: free(metas, state, file), state: state, isSound: false))
    }
    if let state = scan.newest {
      candidates.append(
        SalvageCandidate(roots: [:], free: free(metas, state, file), state: state, isSound: false))
    }
    if candidates.isEmpty {
      let roots = (metas.map(\.main.root) + scan.mains).map { file.trees(of: $0) }
      candidates = roots.filter { !$0.isEmpty }.map {
        SalvageCandidate(roots: $0, free: nil, state: nil, isSound: false)
      }
      candidates.append(SalvageCandidate(roots: [:], free: nil, state: nil, isSound: false))
    }
    // A stable order: of one version, those of whose trees more is known come first.
    return candidates.enumerated().sorted {
      let (one, other) = ($0.element.state?.version ?? -1, $1.element.state?.version ?? -1)
      return one != other ? one > other : $0.offset < $1.offset
    }.map(\.element)
  }

  /// Whether a meta page is the one that was there before the newest: of the commit before, of a commit
  /// that failed and was taken back, or of none, as in a new file and in a copy.
  private static func isBefore(
    _ meta: PageFile.Meta, _ state: StoreState?, _ newest: PageFile.Meta
  ) -> Bool {
    if meta.main == newest.main { return true }
    if meta.main.root == PageFile.Tree.none { return meta.transaction == 0 }
    return state?.transaction == meta.transaction && meta.transaction + 1 == newest.transaction
  }

  private init(_ meta: PageFile.Meta, _ state: StoreState, _ file: SalvageFile) {
    self.init(
      roots: file.trees(of: meta.main.root), free: file.freePages(of: meta), state: state,
      isSound: true)
  }

  private static func free(
    _ metas: [PageFile.Meta], _ state: StoreState, _ file: SalvageFile
  ) -> PageSet? {
    metas.first { $0.transaction == state.transaction }.flatMap { file.freePages(of: $0) }
  }
}

extension SalvageFile {
  /// The state that the trees of a version lead to.
  func state(_ roots: [RecordSpace: UInt64]) -> StoreState? {
    guard let root = roots[.meta] else { return nil }
    var state: StoreState?
    var walk = SalvageWalk(self, free: nil)
    walk.walk(root) { step in
      guard case .leaf(let page, _) = step, state == nil else { return }
      state = self.states(on: page).first
    }
    return state
  }

  /// The intact states on a leaf.
  func states(on page: TreePage) -> [StoreState] {
    guard page.isLeaf, !page.isFixed else { return [] }
    return (0..<page.count).compactMap { index in
      guard let node = page.node(index), node.flags == 0,
        node.key.elementsEqual(StoreState.key.utf8)
      else { return nil }
      return StoreState(record: node.inline)
    }
  }
}

/// A look at every page of a file for leaves of main trees, and for states.
private struct StateScan {
  /// Leaves of main trees, of whichever version: each commit has made one, and few are left.
  private(set) var mains: [UInt64] = []
  private(set) var newest: StoreState?

  /// A file of ours has one of each of its last commits; one that has more was made to.
  private static let limit = 4096

  init(_ file: SalvageFile) {
    for number in 0..<file.pageCount {
      guard let page = file.page(number), page.isLeaf, !page.isFixed else { continue }
      if mains.count < Self.limit, file.trees(on: page)[.meta] != nil { mains.append(number) }
      for state in file.states(on: page) where state.version > newest?.version ?? -1 {
        newest = state
      }
    }
  }
}
