import MatchingDomain
import Postgres

// What columns hold, in the domain's types.

extension SessionState: ColumnValue {}
extension Focus: ColumnValue {}
extension Level: ColumnValue {}
extension Gender: ColumnValue {}
extension BarCause: ColumnValue {}
