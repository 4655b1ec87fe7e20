// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Pictures
import Postgres
import Usernames

extension TrackingSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    EventsSchema.eventsUpkeep(version: 5),
    AccountDeletionsSchema.users(version: 6),
    BlocksSchema.blocks(version: 7),
    Migration(version: 8, name: "tracking", bytes: PackageResources.V0002_tracking_sql),
    Migration(version: 9, name: "visibility", bytes: PackageResources.V0003_visibility_sql),
    PicturesSchema.pictures(version: 10),
    PicturesSchema.pictureUsers(version: 11),
    Migration(version: 12, name: "chat", bytes: PackageResources.V0004_chat_sql),
  ]

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      BlocksSchema.statements,
      UsernamesSchema.statements,
      AccountDeletionsSchema.statements,
      PicturesSchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    LockGroups.self,
    NumberChanges.self,
    InsertChanges.self,
    ChangesAfter.self,
    MakePartition.self,
    ConversationOfMember.self,
    ConversationsOfMember.self,
    LastMessages.self,
    MemberAccess.self,
    MembersOfConversation.self,
    ConversationHeads.self,
    BeginDirectConversation.self,
    DirectConversation.self,
    EnterChatUser.self,
    MoveReadMark.self,
    BeginGroupConversations.self,
    RemoveFormerMembers.self,
    AddNewMembers.self,
    GroupsWithOtherMembers.self,
    NoteBlocks.self,
    ForgetChatUser.self,
    LockConversations.self,
    AppendMessages.self,
    MessagesAfter.self,
    MessagesBefore.self,
    MessagesBehind.self,
    MessageOfMember.self,
    EditText.self,
    DeleteContent.self,
    SetReaction.self,
    FoundMessages.self,
    AddChatPicture.self,
    VisibleChatPicture.self,
    RenewReplica.self,
    EndReplica.self,
    EndExpiredReplicas.self,
    StorePresence.self,
    RemovePresence.self,
    OnlineMembers.self,
    DueChatNotices.self,
    TakeChatNotices.self,
    DueErasure.self,
    MessagesToErase.self,
    ReactionsToErase.self,
    EraseMessages.self,
    EndErasure.self,
    DeleteUnsentPictures.self,
    DeleteAbandonedMessages.self,
    DeleteAbandonedConversations.self,
    PutGroups.self,
    EnterGroups.self,
    AddMemberships.self,
    RemoveMemberships.self,
    RemoveOtherMemberships.self,
    MembershipOf.self,
    MembershipsIn.self,
    MarkAccountDeleted.self,
    EnterUser.self,
    EnteredUser.self,
    DeletePathPointsOfUser.self,
    DeleteTrackerOfUser.self,
    DeleteJourneysOfUser.self,
    DeleteMembershipsOfUser.self,
    DeleteGroupChangesOfUser.self,
    ChangesOfGroups.self,
    GroupSequences.self,
    WatchStarts.self,
    HiddenUsers.self,
    LockUsers.self,
    SharedGroups.self,
    GroupIDs.self,
    MembersSeen.self,
  ]
}
