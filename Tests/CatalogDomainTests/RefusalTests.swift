import CatalogDomain
import Identifiers
import Testing

@Suite("what users are refused")
struct RefusalTests {
  private static let (owner, other) = (user(1), user(2))

  @Test("[CA-23] [C-11] a book is changed by its owner alone, and as it was read")
  func books() throws {
    try BookRefusal.check(Self.owner, 7, isChangedBy: Self.owner, expecting: nil)
    try BookRefusal.check(Self.owner, 7, isChangedBy: Self.owner, expecting: 7)
    for known in [nil, 7, 6] as [Int64?] {
      #expect(throws: BookRefusal.notTheOwner) {
        try BookRefusal.check(Self.owner, 7, isChangedBy: Self.other, expecting: known)
      }
    }
    for known: Int64 in [-1, 6, 8] {
      #expect(throws: BookRefusal.changed) {
        try BookRefusal.check(Self.owner, 7, isChangedBy: Self.owner, expecting: known)
      }
    }
  }

  @Test("[CA-21] the title of a record is not in what logs say of a refusal")
  func logged() {
    let refusal = BookRefusal.titleMismatch(with: RecordedTitle("The Hobbit"))
    #expect(!String(reflecting: refusal).contains("Hobbit") && !"\(refusal)".contains("Hobbit"))
  }

  @Test(
    "[CA-24] only an available book is deleted; a borrower has one that is accepted or borrowed",
    arguments: BookStatus.allCases)
  func statuses(_ status: BookStatus) throws {
    if status == .available {
      try status.checkDeletion()
    } else {
      #expect(throws: BookRefusal.notAvailable) { try status.checkDeletion() }
    }
    #expect(status.isHeldByBorrower == [.accepted, .borrowed].contains(status))
  }

  @Test("[CA-11] [C-11] a curated workout is changed by no user, others by their owners, and as they were read")
  func workouts() throws {
    try WorkoutRefusal.check(Self.owner, 7, isChangedBy: Self.owner, expecting: 7)
    #expect(throws: WorkoutRefusal.curated) {
      try WorkoutRefusal.check(nil, 7, isChangedBy: Self.owner, expecting: 6)
    }
    #expect(throws: WorkoutRefusal.noSuchWorkout) {
      try WorkoutRefusal.check(Self.owner, 7, isChangedBy: Self.other, expecting: 7)
    }
    #expect(throws: WorkoutRefusal.changed) {
      try WorkoutRefusal.check(Self.owner, 7, isChangedBy: Self.owner, expecting: 6)
    }
  }

  @Test(
    "[CA-27] twenty comments on a book and two thousand in all; the author edits, the author and the book's owner delete"
  )
  func comments() throws {
    try CommentRules.checkNew(ofBook: 19, inAll: 1_999)
    #expect(throws: CommentRefusal.tooManyComments) { try CommentRules.checkNew(ofBook: 20, inAll: 2_000) }
    #expect(throws: CommentRefusal.tooManyCommentsInAll) { try CommentRules.checkNew(ofBook: 19, inAll: 2_000) }
    let rules = CommentRules(author: Self.other, bookOwner: Self.owner)
    try rules.checkEdit(by: Self.other)
    #expect(throws: CommentRefusal.notTheAuthor) { try rules.checkEdit(by: Self.owner) }
    for one in [Self.owner, Self.other] { try rules.checkDeletion(by: one) }
    #expect(throws: CommentRefusal.notTheAuthor) { try rules.checkDeletion(by: Self.user(3)) }
  }

  private static func user(_ number: UInt64) -> UserID {
    UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
  }
}
