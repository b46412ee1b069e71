import Herald

// Second way: the classes for a sample of a JSON file, before it is imported.
// It must equal what all records need: the import takes in place only values of kinds that the sample has, notes the others
// as a first pass would, and begins again where their classes differ. Held equal by SampledImportTests and LongFileTests.
// Saves the first of two readings, half of the time of the import.

extension ColumnInference {
  /// How many records at the start of a file, and in its middle, are read before it is imported.
  private static let recordsOfSample = 4_096

  /// Infers what the columns of a JSON file contain from some of its records. Nothing needs the rest where no record is of
  /// another kind, which the import finds while it adds the objects (`Importing.sample`).
  ///
  /// Returns whether these are all records of the file; nil if its form is another, or some cannot be read.
  mutating func runSample(
    _ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void
  ) throws -> Bool? {
    guard reader.isJSON else { return nil }
    do {
      if try run(&reader, atMost: Self.recordsOfSample, progress) { return true }
      guard var middle = reader.secondHalf() else { return false }
      var other = ColumnInference(className: className, choice)
      _ = try other.run(&middle, atMost: Self.recordsOfSample) { _, _ in }
      // The order of new names is that of all records.
      let known = KeySet(columnNames)
      guard other.columnNames.allSatisfy({ known.contains($0) }) else { return nil }
      merge(other)
      return false
    } catch is JSONReader.Failure {
      return nil
    }
  }
}
