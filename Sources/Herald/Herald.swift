@_exported public import HeraldModel
@_exported public import HeraldObservation
@_exported public import HeraldQuery
