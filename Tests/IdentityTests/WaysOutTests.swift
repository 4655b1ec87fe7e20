import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// Every state of identity's machines that a user can be kept in has a way out for each party, which needs no other's
/// help (issue 30).
@Suite("ways out", .timeLimit(.minutes(5)))
struct WaysOutTests {
  enum State: String, CaseIterable, Sendable {
    case invitationOpen, emailChangePending, emailChanged, registrationPending, passwordLocked

    var parties: [Party] {
      switch self {
      case .invitationOpen: [.inviter, .invitee, .member, .time]
      case .emailChangePending: [.owner, .holder, .time]
      case .emailChanged: [.owner, .formerHolder, .time]
      case .registrationPending: [.registrant, .holder, .time]
      case .passwordLocked: [.owner, .time]
      }
    }
  }

  enum Party: String, CaseIterable, Sendable {
    case inviter, invitee, member
    /// The user of the account.
    case owner
    /// Who reads the mail of the address that the account wants.
    case holder
    /// Who reads the mail of the address that the account had.
    case formerHolder
    case registrant
    /// No party does anything: the state ends by itself.
    case time
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let state: State
    let party: Party
    var testDescription: String { "\(state) for \(party)" }
  }

  static let cases = State.allCases.flatMap { state in state.parties.map { Case(state: state, party: $0) } }

  @Test("[ID-15] [ID-44] D-4: every state has a way out for each party that needs no other's help", arguments: cases)
  func leaves(_ one: Case) async throws {
    try await RunningIdentity.with { identity in
      switch one.state {
      case .invitationOpen: try await Self.leaveInvitation(one.party, identity)
      case .emailChangePending: try await Self.leavePendingChange(one.party, identity)
      case .emailChanged: try await Self.leaveChange(one.party, identity)
      case .registrationPending: try await Self.leaveRegistration(one.party, identity)
      case .passwordLocked: try await Self.leaveLock(one.party, identity)
      }
    }
  }

  private static func leaveInvitation(_ party: Party, _ identity: RunningIdentity) async throws {
    let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
    let eve = try await identity.loggedIn(.eve)
    let group = try await identity.group(of: ada)
    try await identity.add(.eve, to: group, by: ada)
    let id = try await identity.invite(.grace, to: group, by: ada)
    switch party {
    case .inviter, .member:
      _ = try await identity.invitations.withdrawInvitation(
        WithdrawInvitationRequest(invitationID: id), .user(party == .inviter ? ada : eve))
    case .invitee:
      _ = try await identity.invitations.declineInvitation(DeclineInvitationRequest(invitationID: id), .user(grace))
    default: identity.clock.advance(by: .seconds(14 * 86_400))
    }
    let login = party == .time ? try await identity.accounts.login(User.grace.login) : grace
    #expect(try await identity.openInvitations(to: login).isEmpty)
  }

  private static let wanted = "ada@new.example"

  private static func leavePendingChange(_ party: Party, _ identity: RunningIdentity) async throws {
    let ada = try await identity.loggedIn()
    try await identity.requestEmail(wanted, ada)
    let token = try await identity.confirmToken(to: wanted)
    switch party {
    case .owner:
      _ = try await identity.accounts.logoutEverywhere(LogoutEverywhereRequest(), .user(ada))
    case .holder:
      // The link is not followed, and a registration of one's own takes the address.
      let own = User(email: wanted, username: "holder")
      try await identity.verifiedByItsMail(own)
    default: identity.clock.advance(by: .seconds(86_400))
    }
    let late = try await refusal { try await identity.confirmEmail(token) }
    #expect([.invalidArgument, .failedPrecondition, .alreadyExists].contains(late.code), "\(late)")
    #expect(try await identity.value("select email from accounts where username = 'ada'") == User.ada.email)
  }

  private static func leaveChange(_ party: Party, _ identity: RunningIdentity) async throws {
    let ada = try await identity.loggedIn()
    try await identity.changeEmail(ada, to: wanted)
    switch party {
    case .owner:
      try await identity.requestEmail(User.ada.email, ada)
      try await identity.confirmEmail(try await identity.confirmToken(to: User.ada.email))
      #expect(try await identity.ownAccount(ada).email == User.ada.email)
    case .formerHolder:
      try await identity.undoEmail(try await identity.undoToken(to: User.ada.email))
      #expect(try await identity.value("select email from accounts") == User.ada.email)
    default:
      identity.clock.advance(by: .seconds(7 * 86_400))
      _ = try await identity.accounts.register(User(email: User.ada.email, username: "other").registration)
    }
  }

  private static func leaveRegistration(_ party: Party, _ identity: RunningIdentity) async throws {
    let account = try await identity.accounts.register(User.ada.registration)
    let token = try await identity.mailedToken(to: User.ada.email)
    switch party {
    case .registrant:
      _ = try await identity.accounts.verifyEmail(
        VerifyEmailRequest(token: token, registrationSecret: account.registrationSecret))
      _ = try await identity.accounts.login(User.ada.login)
    case .holder:
      _ = try await identity.accounts.verifyEmail(
        VerifyEmailRequest(token: token, username: "ada.own", password: "another-Saddle 7 paperclip"))
      let refused = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(refused.reason == "CREDENTIALS_INCORRECT")
    default:
      identity.clock.advance(by: .seconds(7 * 86_400))
      _ = try await identity.accounts.register(User.ada.registration)
    }
  }

  private static func leaveLock(_ party: Party, _ identity: RunningIdentity) async throws {
    try await identity.verified()
    var wrong = User.ada
    wrong.password = "a wrong password"
    for _ in 0..<5 { _ = try await refusal { try await identity.accounts.login(wrong.login) } }
    #expect(try await refusal { try await identity.accounts.login(User.ada.login) }.reason == "LOGIN_LOCKED")
    if party == .owner {
      var own = User.ada
      own.password = "another-Saddle 7 paperclip"
      _ = try await identity.accounts.resetPassword(
        ResetPasswordRequest(
          token: try await identity.mailedResetToken(to: own.email), newPassword: own.password))
      _ = try await identity.accounts.login(own.login)
    } else {
      identity.clock.advance(by: .seconds(900))
      _ = try await identity.accounts.login(User.ada.login)
    }
  }
}

extension RunningIdentity {
  /// Registers and verifies a user whose address has had other mail, even at the same moment.
  fileprivate func verifiedByItsMail(_ user: User) async throws {
    let account = try await accounts.register(user.registration)
    _ = try await accounts.verifyEmail(
      VerifyEmailRequest(
        token: try await token(to: user.email, about: "Please confirm your email address"),
        registrationSecret: account.registrationSecret))
  }
}
