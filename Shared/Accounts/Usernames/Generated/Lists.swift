// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension UsernamesSchema {
  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    NameUsers.self,
    NewNames.self,
    HoldUsers.self,
  ]
}
