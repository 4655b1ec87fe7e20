// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension BlocksSchema {
  /// `blocks.sql`, as a schema's migration number `version`.
  public static func blocks(version: Int) -> Migration {
    Migration(version: version, name: "blocks", bytes: PackageResources.blocks_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    AddBlocks.self,
    RemoveBlocks.self,
    RemoveAllBlocks.self,
    DeleteBlocksOfUser.self,
  ]
}
