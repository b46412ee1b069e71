import Herald

struct ObserveSyntax {
  indirect enum Target {
    case store
    case query(QuerySyntax)
    case groups(GroupSyntax)
    /// `property $max.name`, `property $max.invalidated`.
    case property(PathSyntax)
    /// `Card of $max`.
    case projection(Name, of: QuerySyntax)
  }
  enum KeyPaths {
    /// The default: up to four links away.
    case unrestricted
    case none
    case paths([Name])
  }
  var target: Target
  var name: Name?
  var keyPaths = KeyPaths.unrestricted
  var depth: Int?
  var isExclusive = false
  /// The columns of a watched table.
  var columns: [ColumnSyntax] = []
  var actor: Name?
  var block: [Statement]?
}
