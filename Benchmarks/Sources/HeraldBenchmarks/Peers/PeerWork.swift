/// One kind of work, which Herald and its peers do on the same data.
struct PeerWork {
  let name: String
  /// Herald's, then those of the peers in this process.
  let measures: [(peer: Peer, measure: (Effort) throws -> PeerFigure)]
  /// The statement with which duckdb does it, which returns the result as its first value.
  var statement: String? = nil
  /// False where the first of several equal rows is the result.
  var comparesResults = true
}

/// The figure of one peer.
struct PeerFigure {
  /// The shortest of the repetitions for one unit of work, in seconds.
  let time: Double
  /// What must be the same for all peers: a count, a sum, a key.
  let result: Int

  init(time: Double, result: Int) {
    self.time = time
    self.result = result
  }

  init(_ samples: Samples, result: Int) {
    self.init(time: samples.min / Double(samples.units), result: result)
  }
}
