import Identifiers
import IdentityDomain
import Testing

@Suite struct GroupRuleTests {
  @Test("[ID-40] a group's name is 1 to 80 characters on one line, without white space around it")
  func name() {
    #expect(GroupName("  Early birds\t")?.text == "Early birds")
    #expect(GroupName(String(repeating: "\u{1F426}", count: 80)) != nil)
    for bad in ["", " \t", String(repeating: "x", count: 81), "a\nb", "a\u{0}", "a\u{2028}b"] {
      #expect(GroupName(bad) == nil, "\(bad)")
    }
  }

  @Test("[ID-44] a user joins while there is room in the group and in their list")
  func joining() {
    #expect(Membership.refusal(members: 199, groups: 199) == nil)
    #expect(Membership.refusal(members: 200, groups: 200) == .groupFull)
    #expect(Membership.refusal(members: 199, groups: 200) == .tooManyGroups)
  }

  @Test("[ID-44] a user is invited who is neither a member nor invited, nor has declined, by an inviter with 19 open")
  func invitation() {
    let possible = Invitation.Facts(members: 199, open: 19)
    var facts = Invitation.Facts(isMember: true, members: 200, isInvited: true, hasDeclined: true, open: 20)
    var refusals: [Invitation.Refusal?] = []
    let steps: [(inout Invitation.Facts) -> Void] = [
      { _ in }, { $0.isMember = false }, { $0.members = 199 }, { $0.isInvited = false }, { $0.hasDeclined = false },
      { $0.open = 19 },
    ]
    for step in steps {
      step(&facts)
      refusals.append(Invitation.refusal(facts))
    }

    #expect(Invitation.refusal(possible) == nil)
    #expect(refusals == [.alreadyMember, .groupFull, .alreadyInvited, .invitedRecently, .tooManyOpen, nil])
  }

  @Test("[ID-44] mails have a fixed subject for every kind of notification")
  func subjects() {
    for kind in NotificationKind.allCases { #expect((1...50).contains(kind.mailSubject.count), "\(kind)") }
  }

  @Test("[ID-42] a group goes with its last member")
  func last() {
    #expect(Membership.isDeleted(withOneOf: 1))
    #expect(!Membership.isDeleted(withOneOf: 2))
  }

  @Test("[ID-23] who sees the contact information")
  func contact() {
    let (owner, other) = (UserID(UUID7(high: 1, low: 0)), UserID(UUID7(high: 2, low: 0)))
    let seen = { (visibility: ContactVisibility) in
      [
        visibility.shows(to: owner, of: owner, sharesGroup: false),
        visibility.shows(to: other, of: owner, sharesGroup: true),
        visibility.shows(to: other, of: owner, sharesGroup: false),
      ]
    }
    #expect(seen(.everyone) == [true, true, true])
    #expect(seen(.groupsInCommon) == [true, true, false])
    #expect(seen(.nobody) == [true, false, false])
  }

  @Test("[ID-26] remarks are text of at most 1,000 characters")
  func remarks() {
    func text(_ typed: String) -> String? { try? Remarks.read(typed).get().text }
    #expect(text(" \n") == "" && text("one\ntwo\tthree") == "one\ntwo\tthree")
    #expect(text(String(repeating: "\u{1F426}", count: 1_000)) != nil)
    #expect(text(String(repeating: "x", count: 1_001)) == nil && text("bell\u{7}") == nil)
  }

  @Test("[ID-24] a prefix is what a username can begin with")
  func prefix() {
    #expect(UsernamePrefix("A.b_1")?.key == "a.b_1")
    for bad in ["", "a b", "%", String(repeating: "a", count: 31)] { #expect(UsernamePrefix(bad) == nil) }
  }
}
