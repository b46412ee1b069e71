public import Observation

// What a closure that Observation tracks may read, to be notified of the commit that changes it: see "Tracking reads".

extension ObjectBase: Observable {}
extension Results: Observable {}
extension List: Observable {}
extension MutableSet: Observable {}
extension Map: Observable {}
extension LinkingObjects: Observable {}
extension SectionedResults: Observable {}
extension Projection: Observable {}
