import ImporterDomain
import Postgres

// What columns hold, in the domain's types.

extension Sport: ColumnValue {}
extension ElevationSource: ColumnValue {}
extension ImportState: ColumnValue {}
extension FileImportState: ColumnValue {}
extension ImportFailure: ColumnValue {}
extension ImportCause: ColumnValue {}
extension ConnectionState: ColumnValue {}
