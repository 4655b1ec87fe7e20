import ImporterDomain
import Postgres

// What columns hold, in the domain's types.

extension Sport: ColumnValue {}
extension ElevationSource: ColumnValue {}
