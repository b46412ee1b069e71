import Herald

/// `follow Dog where age > 5 keypaths name --count 3 --for 10s`.
struct FollowSyntax {
  var observed: ObserveSyntax
  /// The number of updates after which it ends; 0 for the initial event only, nil for no limit.
  var updates: Int?
  /// The time after which it ends; nil for no limit.
  var time: Duration?

  static let options: [StaticString] = ["--once", "--count", "--for"]
}
