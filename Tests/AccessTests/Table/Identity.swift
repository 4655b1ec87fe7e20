extension AccessTable {
  /// The methods of `tandem.identity.v1`, but for those of logging in by providers.
  static let identity = """
    fields pair = session_id user_id access_token access_token_expire_time refresh_token refresh_token_expire_time
    fields tokens = session_id user_id access_token access_token_expire_time refresh_token refresh_token_expire_time device_token
    fields session = session_id device_label create_time last_use_time address expire_time current
    fields key = key_id algorithm public_key create_time expire_time?
    tandem.identity.v1.Accounts at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      Register                ok       ok       ok       ok       ok       ok       ok       ok
        request {"email": "{new}@example.net", "username": "{new}", "password": "{password}"}
        answer  user_id verification_expire_time account_expire_time registration_secret
      GetOwnAccount           token    ok       ok       ok       ok       session  token    token
        request {}
        answer  user_id email email_verify_time username create_time has_password missing passkey_count? providers.provider_id? providers.issuer? pending_email? pending_email_expire_time?
      RequestEmailChange      token    ok       ok       ok       ok       session  token    token
        before  newcomer
        request {"email": "{new}@example.net"}
        answer  confirmation_expire_time
      ConfirmEmailChange      ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{emailChangeToken}"}
        answer  user_id email undo_expire_time
      UndoEmailChange         ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{emailUndoToken}"}
        answer  user_id email undone_email username ended_session_count? removed_passkeys? removed_providers.provider_id? removed_providers.issuer?
      VerifyEmail             ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{verificationToken}", "password": "{password}"}
        answer  user_id
      ResendVerification      ok       ok       ok       ok       ok       ok       ok       ok
        request {"email": "{new}@example.net"}
        answer  resend_available_time
      Login                   ok       ok       ok       ok       ok       ok       ok       ok
        request {"emailOrUsername": "{owner}", "password": "{password}", "deviceLabel": "Laptop"}
        answer  $tokens
      Refresh                 ok       ok       ok       ok       ok       ok       ok       ok
        request {"refreshToken": "{refreshToken}"}
        answer  $pair
      Logout                  token    ok       ok       ok       ok       session  token    token
        request {}
        answer  nothing
      ListSessions            token    ok       ok       ok       ok       session  token    token
        before  newcomer otherSession
        request {}
        answer  sessions.$session
      RevokeSession           token    login    login    ok       login    session  token    token
        request {"sessionId": "{ownersSession}"}
        answer  nothing
      LogoutEverywhere        token    ok       ok       ok       ok       session  token    token
        before  newcomer otherSession
        request {"scope": "LOGOUT_SCOPE_OTHER_SESSIONS"}
        answer  ended_session_count
      RequestPasswordReset    ok       ok       ok       ok       ok       ok       ok       ok
        before  later
        request {"email": "{ownerEmail}"}
        answer  nothing
      ResetPassword           ok       ok       ok       ok       ok       ok       ok       ok
        before  later
        request {"token": "{resetToken}", "newPassword": "{password}"}
        answer  user_id
      ChangePassword          token    ok       ok       ok       ok       session  token    token
        before  newcomer
        request {"oldPassword": "{password}", "newPassword": "{otherPassword}"}
        answer  nothing
      ConfirmPassword         token    ok       ok       ok       ok       session  token    token
        request {"password": "{password}"}
        answer  expire_time
      ChangeUsername          token    ok       ok       ok       ok       session  token    token
        before  newcomer
        request {"username": "{new}"}
        answer  username previous_username reservation_expire_time
      DeleteAccount           token    ok       ok       ok       ok       session  token    token
        before  newcomer
        request {"password": "{password}"}
        answer  delete_time
      ListKeys                ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  keys.$key

    fields passkey = id name credential_id create_time last_use_time?
    tandem.identity.v1.Passkeys at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      StartPasskeyRegistration token   ok       ok       ok       ok       session  token    token
        request {}
        answer  challenge relying_party_id relying_party_name user_handle username algorithms expire_time exclude_credential_ids?
      RegisterPasskey         token    ok       ok       ok       ok       session  token    token
        request {"name": "Laptop", "clientDataJson": "{newPasskeyClientData}", "attestationObject": "{newPasskeyObject}"}
        answer  $passkey
      ListPasskeys            token    ok       ok       ok       ok       session  token    token
        before  passkey
        request {}
        answer  passkeys.$passkey
      DeletePasskey           token    passkey  passkey  ok       passkey  session  token    token
        request {"id": "{ownersPasskey}"}
        answer  nothing
      StartPasskeyLogin       ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  challenge relying_party_id expire_time
      LoginWithPasskey        ok       ok       ok       ok       ok       ok       ok       ok
        request {"credentialId": "{passkeyId}", "clientDataJson": "{passkeyClientData}", "authenticatorData": "{passkeyData}", "signature": "{passkeySignature}", "userHandle": "{passkeyHandle}"}
        answer  $tokens

    fields badge = kind title description award_time
    # What the owner says about themselves; they show how to reach them to who is in a group with them, and their date of
    # birth to no other user.
    fields shown = user_id username gender age has_gym_profile level interests strengths time_zone etag create_time update_time badges.kind badges.title badges.description badges.award_time
    fields contact = contact.email contact.phone contact.visibility
    # What the others say.
    fields own = user_id username gender date_of_birth age has_gym_profile level time_zone contact.email contact.visibility etag create_time update_time
    fields picture = user_id etag renditions.size renditions.media_type renditions.width renditions.height renditions.byte_count upload_time
    tandem.identity.v1.Profiles at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      CreateProfile           token    ok       ok       ok       ok       session  token    token
        before  newcomer
        request {"profile": {"gender": "GENDER_OTHER", "dateOfBirth": {"year": 1990, "month": 12, "day": 10}, "level": "LEVEL_NOVICE", "timeZone": "UTC"}}
        answer  $own
      GetProfile              token    ok       ok       ok       person   session  token    token
        before  ownersBadge
        request {"username": "{owner}"}
        answer to member: $shown $contact
        answer to owner: $shown $contact date_of_birth
        answer to stranger: $shown
      SearchProfiles          token    ok       ok       ok       ok       session  token    token
        before  ownersBadge
        request {"prefix": "{owner}"}
        answer to member: profiles.$shown profiles.$contact
        answer to owner: profiles.$shown profiles.$contact profiles.date_of_birth
        answer to stranger: profiles.$shown
        answer to blocked: nothing
      UpdateProfile           token    ok       ok       ok       ok       session  token    token
        before  ownersBadge
        request {"profile": {"level": "LEVEL_EXPERT"}, "updateMask": "level"}
        answer  $own
        answer to owner: $shown $contact date_of_birth
      ListProfileOptions      ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  genders.gender genders.label levels.level levels.label levels.guide levels.experienced interests.id interests.label strengths.id strengths.label
      UploadProfilePicture    token    ok       ok       ok       ok       session  token    token
        request {"chunk": "{picture}"}
        answer  $picture
      DownloadProfilePicture  token    ok       ok       ok       person   session  token    token
        before  picture
        request {"username": "{owner}"}
        answers 2
        answer  picture.$picture chunk
      DeleteProfilePicture    token    ok       ok       ok       ok       session  token    token
        before  picture
        request {}
        answer  nothing

    fields group = group_id name member_count etag create_time
    # Of a profile without a gym part.
    fields general = user_id username time_zone contact.email contact.visibility etag create_time update_time
    fields membership = user_id username join_time
    # The inviter alone is shown the address that they wrote.
    fields invitation = invitation_id state group.group_id group.name group.member_count group.etag group.create_time inviter_user_id inviter_username create_time expire_time
    tandem.identity.v1.Groups at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      CreateGroup             token    ok       ok       ok       ok       session  token    token
        request {"group": {"name": "Early birds"}}
        answer  $group
      GetGroup                token    member   ok       ok       member   session  token    token
        request {"groupId": "{group}"}
        answer  $group
      ListGroups              token    ok       ok       ok       ok       session  token    token
        before  group
        request {}
        answer  groups.$group
      UpdateGroup             token    member   ok       ok       member   session  token    token
        request {"group": {"groupId": "{group}", "name": "Late birds"}, "updateMask": "name"}
        answer  $group
      AddGroupMember          token    member   ok       ok       member   session  token    token
        request {"groupId": "{group}", "email": "{strangerEmail}"}
        answer  $invitation email
      ListGroupMembers        token    member   ok       ok       member   session  token    token
        request {"groupId": "{group}"}
        answer  members.$membership
      ListMyChanges           token    ok       ok       ok       ok       session  token    token
        before  newcomer group
        request {}
        answer  changes.profile.$general? changes.group.$group? changes.member.group_id? changes.member.member.$membership? next_since
      RemoveGroupMember       token    member   ok       ok       member   session  token    token
        request {"groupId": "{group}", "userId": "{memberId}"}
        answer  nothing
      LeaveGroup              token    member   ok       ok       member   session  token    token
        request {"groupId": "{group}"}
        answer  nothing

    fields block = user_id username? block_time
    tandem.identity.v1.Invitations at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListInvitations         token    ok       ok       ok       ok       session  token    token
        before  newcomer invitation
        request {}
        answer  invitations.$invitation
      ListSentInvitations     token    ok       ok       ok       ok       session  token    token
        before  newcomer sentInvitation
        request {}
        answer  invitations.$invitation invitations.email
      ListGroupInvitations    token    member   ok       ok       member   session  token    token
        request {"groupId": "{invitingGroup}"}
        answer to owner: invitations.$invitation invitations.email
        answer to member: invitations.$invitation
      AcceptInvitation        token    invited  invited  ok       invited  session  token    token
        request {"invitationId": "{ownersInvitation}"}
        answer  group.$group join_time
      DeclineInvitation       token    invited  invited  ok       invited  session  token    token
        request {"invitationId": "{ownersInvitation}"}
        answer  nothing
      DeclineAllInvitations   token    ok       ok       ok       ok       session  token    token
        before  newcomer invitation
        request {}
        answer  declined_count
      BlockInviter            token    invited  invited  ok       invited  session  token    token
        request {"invitationId": "{ownersInvitation}"}
        answer  $block
      WithdrawInvitation      token    invited  ok       ok       invited  session  token    token
        request {"invitationId": "{groupsInvitation}"}
        answer  nothing

    tandem.identity.v1.Safety at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      BlockUser               token    ok       ok       ok       ok       session  token    token
        request {"userId": "{someoneId}"}
        answer  $block
      UnblockUser             token    ok       ok       ok       ok       session  token    token
        before  block
        request {"userId": "{someoneId}"}
        answer  nothing
      ListBlockedUsers        token    ok       ok       ok       ok       session  token    token
        before  block
        request {}
        answer  blocked_users.$block
      ReportUser              token    ok       ok       ok       ok       session  token    token
        request {"userId": "{someoneId}", "reason": "REPORT_REASON_SPAM"}
        answer  report_id create_time

    tandem.identity.v1.Directory at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      FindDeletedAccounts     suite    service  service  service  service  service  ok       caller
        callers matching catalog lending tracking importer
        request {"userIds": ["{departedId}"]}
        answer  deleted_user_ids
      ListBlocks              suite    service  service  service  service  service  ok       caller
        callers catalog lending matching tracking
        request {}
        answer  blocks.blocker_user_id blocks.blocked_user_id
      ListUsernames           suite    service  service  service  service  service  ok       caller
        callers catalog lending matching tracking
        request {}
        answer  users.user_id users.username
      FindFriends             suite    service  service  service  service  service  caller   caller
        callers matching
        request {"userId": "{ownerId}", "otherUserIds": ["{memberId}"]}
        answer  friend_user_ids
      ListMemberships         suite    service  service  service  service  service  ok       caller
        callers tracking
        request {}
        answer  memberships.group_id memberships.group_name memberships.user_id memberships.membership_id memberships.join_time
      FindTraits              suite    service  service  service  service  service  caller   caller
        callers matching
        request {"userIds": ["{memberId}"]}
        answer  traits.user_id traits.gender traits.level traits.update_time

    fields report = report_id user_id username reporter_user_id reporter_username reason remarks evidence_ids create_time changes.change changes.actor changes.time
    fields record = user_id username email register_time verify_time lock_time? session_count? last_use_time?
    tandem.identity.v1.Operators at identity
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListReports             suite    service  service  service  service  service  caller   ok
        callers operator
        before  report
        request {"userId": "{ownerId}"}
        answer  reports.$report
      GetReport               suite    service  service  service  service  service  caller   ok
        callers operator
        request {"reportId": "{report}"}
        answer  $report
      CloseReport             suite    service  service  service  service  service  caller   ok
        callers operator
        request {"reportId": "{report}", "reason": "Seen to it", "actor": "root"}
        answer  $report close_time changes.reason
      ListSecurityEvents      suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{ownerId}"}
        answer  events.event_id events.user_id events.kind events.session_id? events.address? events.occur_time
      FindUsers               suite    service  service  service  service  service  caller   ok
        callers operator
        request {"query": "{ownerEmail}"}
        answer  users.$record
      GetUser                 suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{ownerId}"}
        answer  $record
      ListUserSessions        suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{ownerId}"}
        answer  sessions.session_id sessions.device_label? sessions.create_time sessions.last_use_time sessions.address? sessions.expire_time
      LockUser                suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{someoneId}"}
        answer  $record
      UnlockUser              suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{someoneId}"}
        answer  $record
      RotateSigningKey        suite    service  service  service  service  service  caller   ok
        callers operator
        request {}
        answer  key.$key
      DeleteUser              suite    service  service  service  service  service  caller   ok
        callers operator
        request {"userId": "{someoneId}"}
        answer  delete_time

    """
}
