import LendingDomain
import Postgres

// What columns hold, in the domain's types.

extension Exactness: ColumnValue {}
extension LoanState: ColumnValue {}
extension BookStatus: ColumnValue {}
extension Party: ColumnValue {}
extension Step: ColumnValue {}
