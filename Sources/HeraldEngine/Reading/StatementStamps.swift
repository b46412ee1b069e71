import HeraldModel
import HeraldObservation
import HeraldQuery

/// Which statements of an open write, as numbered by the session, have changed what reads depend on.
struct StatementStamps {
  private var last = 0
  /// The last statement that may have changed more than single values without links.
  private var lastChange = 0
  /// The last statement that assigned a single value without links: in place, since a write mostly assigns one property, or
  /// the same ones again and again.
  private var lastAssignment: (classID: ClassID, property: PropertyID, statement: Int)?
  /// The last statements that assigned other such properties.
  private var otherAssignments: [ClassID: [PropertyID: Int]] = [:]

  /// Begins a statement. `changesAnything`: whether it may change more than the properties that it assigns.
  @inline(__always)
  mutating func begin(_ statement: Int, changesAnything: Bool) {
    last = statement
    if changesAnything { lastChange = statement }
  }

  /// Marks a property as assigned by the present statement.
  mutating func assign(_ column: Layout.Column, _ classID: ClassID) {
    guard column.isSingle, !column.element.mayHoldLinks else {
      lastChange = last
      return
    }
    let property = column.property
    if let lastAssignment,
      lastAssignment.property != property || lastAssignment.classID != classID
    {
      otherAssignments[lastAssignment.classID, default: [:]][lastAssignment.property] =
        lastAssignment.statement
    }
    lastAssignment = (classID, property, last)
  }

  private func lastAssignment(_ property: PropertyID, of classID: ClassID) -> Int? {
    if let lastAssignment, lastAssignment.property == property, lastAssignment.classID == classID {
      return lastAssignment.statement
    }
    return otherAssignments[classID]?[property]
  }

  /// Returns the last statement that may concern a read of paths; 0 for none.
  func last(concerning paths: [PropertyPath]) -> Int {
    // Paths over links in values of any type are complete only up to a limit.
    if paths.count > 64 { return last }
    var latest = lastChange
    if lastAssignment == nil { return latest }
    for path in paths {
      for step in path.steps {
        guard case .property(let property) = step.kind,
          let statement = lastAssignment(property, of: step.classID)
        else { continue }
        latest = max(latest, statement)
      }
    }
    return latest
  }
}
