import HeraldModel

/// `HeraldModel.blockSize`, as a constant of this module: a division by that of another one is not a shift.
let blockSize = 256
