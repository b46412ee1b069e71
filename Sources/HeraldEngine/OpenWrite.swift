import HeraldModel
import HeraldObservation
import HeraldStorage

/// A write under way: its transaction and the log of what it has changed so far.
final class OpenWrite {
  let reader: TransactionReader<WriteTransaction>
  /// The mutation log, already in the form of the record: old values are those before the write.
  var log: [ClassID: ClassChange] = [:]
  var isSchemaChanged = false
  /// What alters and drops took away.
  var losses = SchemaLosses()
  /// Objects are being brought to another schema, which is noted of none of them.
  var isMigrating = false
  /// Objects whose deletion is under way: their owners' links go without deleting them again.
  var deleting: Set<ObjectID> = []
  /// Told of each assignment as it is done.
  var listener: Listener?
  /// Whether any statement has changed anything: observing is possible only before that.
  var hasChanged = false

  init(_ transaction: consuming WriteTransaction, layout: Layout) {
    reader = TransactionReader(transaction, layout: layout)
  }
}
