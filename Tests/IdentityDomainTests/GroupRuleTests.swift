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

  @Test("[ID-41] somebody is added who is not in the group, while there is room in it and in their list")
  func addition() {
    #expect(Membership.refusal(isMember: false, members: 199, groups: 199) == nil)
    #expect(Membership.refusal(isMember: true, members: 200, groups: 200) == .alreadyMember)
    #expect(Membership.refusal(isMember: false, members: 200, groups: 200) == .groupFull)
    #expect(Membership.refusal(isMember: false, members: 199, groups: 200) == .tooManyGroups)
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
    #expect(Remarks("") != nil && Remarks("one\ntwo\tthree") != nil)
    #expect(Remarks(String(repeating: "\u{1F426}", count: 1_000)) != nil)
    #expect(Remarks(String(repeating: "x", count: 1_001)) == nil && Remarks("bell\u{7}") == nil)
  }

  @Test("[ID-24] a prefix is what a username can begin with")
  func prefix() {
    #expect(UsernamePrefix("A.b_1")?.key == "a.b_1")
    for bad in ["", "a b", "%", String(repeating: "a", count: 31)] { #expect(UsernamePrefix(bad) == nil) }
  }
}
