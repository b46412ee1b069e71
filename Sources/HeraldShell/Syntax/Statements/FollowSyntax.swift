import Herald

/// `follow Dog where age > 5 keypaths name --count 3 --for 10s`.
struct FollowSyntax {
  var observed: ObserveSyntax
  /// The number of updates after which it ends; 0 for the initial event only, nil for no limit.
  var updates: Int?
  /// The time after which it ends; nil for no limit.
  var time: Duration?
  /// Of the store: the version after which it begins; nil for the present one.
  var start: ExpressionSyntax?
  /// Whether it begins with all objects of the store.
  var beginsWithSnapshot = false
  /// The file that keeps the version of the last commit that was written.
  var cursor: Name?

  static let options: [StaticString] = ["--once", "--count", "--for"]
  static let optionsOfStore: [StaticString] = ["--snapshot", "--after-file"]
}
