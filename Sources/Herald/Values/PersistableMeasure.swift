public import FoundationEssentials

/// A type whose values have a smallest and a largest one: numbers and dates.
public protocol PersistableMeasure: PersistableElement {}

extension Date: PersistableMeasure, QueryComparable {}
