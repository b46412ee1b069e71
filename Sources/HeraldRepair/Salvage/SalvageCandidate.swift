import HeraldStorage

/// A version of a store that may be the one to salvage: the roots of its trees, and its state.
struct SalvageCandidate {
  /// The evidence for a version.
  enum Evidence: Int {
    /// A meta page and the state that it leads to agree.
    case sound
    /// Its trees or its state were found on some page of the file.
    case scanned
    /// A meta page leads to its trees, but its state record cannot be read.
    case stateless
  }

  let evidence: Evidence
  /// The roots of its databases; empty if no page records them.
  let roots: [RecordSpace: UInt64]
  /// The pages that are free in it; nil if unknown.
  let free: PageSet?
  /// Nil if unknown.
  let version: Int?
  /// The number of its transaction, nil if unknown.
  let transaction: UInt64?
  /// Whether both meta pages are valid, and this is the one of the last commit.
  private(set) var isNewest = false
  /// The digest of its records; nil if its state was not found.
  let digest: StoreDigest?

  private init(
    _ evidence: Evidence, roots: [RecordSpace: UInt64], free: PageSet?, _ state: StoreState?
  ) {
    self.evidence = evidence
    self.roots = roots
    self.free = free
    version = state?.version
    transaction = state?.transaction
    digest = state?.digest
  }

  /// The version of a meta page whose state cannot be read, and which follows another one.
  private init(
    _ meta: PageFile.Meta, after other: SalvageCandidate?, _ roots: [RecordSpace: UInt64],
    _ file: SalvageFile
  ) {
    evidence = .stateless
    self.roots = roots
    free = file.freePages(of: meta)
    let isNext = other?.transaction.map { $0 + 1 } == meta.transaction
    version = isNext ? other?.version.map { $0 + 1 } : nil
    transaction = meta.transaction
    digest = nil
  }

  private init(_ meta: PageFile.Meta, _ state: StoreState, _ file: SalvageFile) {
    self.init(
      .sound, roots: file.trees(of: meta.main.root), free: file.freePages(of: meta), state)
  }

  /// Returns the versions with any records in a file, the best first. If both meta pages are valid,
  /// that is the newer of the two alone, which takes a few page reads; otherwise the whole file is read.
  static func all(of file: SalvageFile) -> [SalvageCandidate] {
    let metas = file.metas
    let states = metas.map { file.state(file.trees(of: $0.main.root)) }
    if metas.count == 2, let newest = states[0], newest.transaction == metas[0].transaction,
      isBefore(metas[1], states[1], metas[0]), file.pages.journalRecord(after: metas[0]) == nil
    {
      var candidate = SalvageCandidate(metas[0], newest, file)
      candidate.isNewest = true
      return [candidate]
    }
    var candidates = zip(metas, states).compactMap { meta, state -> SalvageCandidate? in
      guard let state, state.transaction == meta.transaction else { return nil }
      return SalvageCandidate(meta, state, file)
    }
    let sound = candidates.first
    let scan = StateScan(file)
    let known = Set(sound.map { _ in metas.map(\.main.root) } ?? [])
    for page in scan.mains {
      let roots = file.trees(of: page)
      guard let state = file.state(roots),
        !known.contains(page) || !candidates.contains(where: { $0.version == state.version })
      else { continue }
      candidates.append(
        SalvageCandidate(.scanned, roots: roots, free: free(metas, state, file), state))
    }
    if let state = scan.newest {
      candidates.append(
        SalvageCandidate(.scanned, roots: [:], free: free(metas, state, file), state))
    }
    for (meta, state) in zip(metas, states) where state == nil {
      let roots = file.trees(of: meta.main.root)
      guard !roots.isEmpty else { continue }
      candidates.append(SalvageCandidate(meta, after: sound, roots, file))
    }
    if candidates.isEmpty {
      candidates = scan.mains.map {
        SalvageCandidate(.scanned, roots: file.trees(of: $0), free: nil, nil)
      }
      candidates.append(SalvageCandidate(.scanned, roots: [:], free: nil, nil))
    }
    // A stable order: of one version, the candidates with more information come first.
    return candidates.enumerated().sorted {
      let (one, other) = ($0.element.rank, $1.element.rank)
      return one != other ? one > other : $0.offset < $1.offset
    }.map(\.element)
  }

  private var rank: Int { version ?? -1 }

  /// Returns whether a meta page is the predecessor of the newest: of the commit before, of a
  /// commit that failed and was undone, or of none, as in a new file and in a copy.
  private static func isBefore(
    _ meta: PageFile.Meta, _ state: StoreState?, _ newest: PageFile.Meta
  ) -> Bool {
    if meta.main == newest.main { return true }
    if meta.main.root == PageFile.Tree.none { return meta.transaction == 0 }
    return state?.transaction == meta.transaction && meta.transaction + 1 == newest.transaction
  }

  private static func free(
    _ metas: [PageFile.Meta], _ state: StoreState, _ file: SalvageFile
  ) -> PageSet? {
    metas.first { $0.transaction == state.transaction }.flatMap { file.freePages(of: $0) }
  }
}

extension SalvageFile {
  /// Returns whether a meta page records a later transaction, whose state is lost. If it leads to
  /// another transaction's state, its number is wrong.
  func hasLostCommit(after transaction: UInt64?) -> Bool {
    guard let transaction else { return false }
    return metas.contains { $0.transaction > transaction && state(trees(of: $0.main.root)) == nil }
  }

  /// Returns the state that the trees of a version lead to.
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

  /// Returns the intact states on a leaf.
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

/// A scan of every page of a file for leaves of main trees, and for states.
private struct StateScan {
  /// Leaves of main trees, of any version: each commit writes one, and few are left.
  private(set) var mains: [UInt64] = []
  private(set) var newest: StoreState?

  /// A limit against crafted files: a real one has only the leaves of its last commits.
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
