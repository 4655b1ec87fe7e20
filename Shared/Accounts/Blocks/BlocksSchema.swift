public import AccountDeletions
import Identifiers
import Postgres

/// The table of blocks, the same in every service's schema that hides users from one another.
public enum BlocksSchema {}

extension AddBlocks {
  public init(_ blocks: [Block]) {
    self.init(blockerIDs: blocks.map(\.blocker), blockedIDs: blocks.map(\.blocked))
  }
}

extension RemoveBlocks {
  public init(_ blocks: [Block]) {
    self.init(blockerIDs: blocks.map(\.blocker), blockedIDs: blocks.map(\.blocked))
  }
}

extension DeleteBlocksOfUser: AccountDeletionStatement {
  /// The users on both sides.
  public static let users = "select blocker_id from blocks union all select blocked_id from blocks"
}
