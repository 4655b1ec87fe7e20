// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension BlocksSchema {
  /// `blocks.sql`, as a schema's migration number `version`.
  public static func blocks(version: Int) -> Migration {
    Migration(version: version, name: "blocks", sql: blocksSQL)
  }

  private static let blocksSQL = """
    -- Who has blocked whom. The catalog and lending have made theirs before.

    create table blocks (
      blocker_id uuid not null,
      blocked_id uuid not null,
      constraint blocks_pkey primary key (blocker_id, blocked_id)
    );

    create index blocks_blocked_idx on blocks (blocked_id);

    comment on table blocks is 'Blocks between users, as identity reported them (C-10).';
    comment on column blocks.blocker_id is 'The user who blocks.';
    comment on column blocks.blocked_id is 'The user who is blocked.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    AddBlocks.self,
    RemoveBlock.self,
    RemoveAllBlocks.self,
    DeleteBlocksOfUser.self,
  ]
}
