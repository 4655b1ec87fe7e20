import TTRPC
import TTRPCClient
import TandemCatalog
import TandemIdentity
import TandemLending
import TandemMatching
import TestSupport
import Testing

/// A list of changes that clients keep for offline use ([C-11]).
enum ChangeList: String, CaseIterable, Sendable {
  case own, books, exercises, workouts, logs, loans, sessions
}

/// What a client keeps of the lists of changes, and goes on from.
struct ChangeMirror: Sendable {
  /// What became of the token that a client came back with.
  enum Return: Equatable, Sendable {
    case continued
    case refused
    case begunAnew
  }

  /// By their kinds and ids, as they were listed last.
  private(set) var things: [ChangeList: [String: String]] = [:]
  private var tokens: [ChangeList: String] = [:]

  /// Reads what changed since the last time; a list whose token is refused is begun anew.
  @discardableResult
  mutating func catchUp(
    with lists: ChangeLists, as member: ThreeServices.Member
  ) async throws -> [ChangeList: Return] {
    var returns: [ChangeList: Return] = [:]
    for list in ChangeList.allCases {
      do { returns[list] = try await read(list, lists, member) } catch let status as Status
        where status.fieldReasons == ["CHANGE_TOKEN_INVALID"]
      {
        (things[list], tokens[list]) = (nil, nil)
        _ = try await read(list, lists, member)
        returns[list] = .refused
      }
    }
    return returns
  }

  private mutating func read(
    _ list: ChangeList, _ lists: ChangeLists, _ member: ThreeServices.Member
  ) async throws -> Return {
    var (result, more) = (Return.continued, true)
    while more {
      let since = tokens[list] ?? ""
      let page = try await eventually("the service has started, and knows the user") {
        do { return try await lists.page(of: list, since: since, member.options) } catch let status as Status
          where status.code == .unavailable
        {
          return nil
        }
      }
      if page.isReset { (things[list], result) = (nil, .begunAnew) }
      for change in page.changes { things[list, default: [:]][change.id] = change.content }
      (tokens[list], more) = (page.next, page.hasMore)
    }
    return result
  }
}

/// The lists of changes of identity, the catalog, lending and matching.
struct ChangeLists: Sendable {
  /// What is new of a thing; no content of what is gone.
  typealias Change = (id: String, content: String?)

  struct Page: Sendable {
    var changes: [Change]
    var next: String
    var hasMore: Bool
    var isReset = false
  }

  let three: ThreeServices
  let matching: RPCClient

  func page(of list: ChangeList, since: String, _ options: CallOptions) async throws -> Page {
    switch list {
    case .own:
      let page = try await GroupsClient(three.identity).listMyChanges(ListMyChangesRequest(since: since), options)
      return Page(
        changes: page.changes.map(Self.change), next: page.nextSince, hasMore: page.more, isReset: page.reset)
    case .books:
      let page = try await three.books.listMyBookChanges(ListMyBookChangesRequest(since: since), options)
      return Page(
        changes: page.changes.map { ($0.bookID, $0.book.map { "\($0)" }) }, next: page.nextSince, hasMore: page.more)
    case .exercises:
      let page = try await ExercisesClient(three.catalog).listExerciseChanges(
        ListExerciseChangesRequest(since: since), options)
      return Page(
        changes: page.changes.map { ($0.exerciseID, $0.exercise.map { "\($0)" }) }, next: page.nextSince,
        hasMore: page.more)
    case .workouts:
      let page = try await WorkoutsClient(three.catalog).listMyWorkoutChanges(
        ListMyWorkoutChangesRequest(since: since), options)
      return Page(
        changes: page.changes.map { ($0.workoutID, $0.workout.map { "\($0)" }) }, next: page.nextSince,
        hasMore: page.more)
    case .logs:
      let page = try await WorkoutsClient(three.catalog).listMyWorkoutLogChanges(
        ListMyWorkoutLogChangesRequest(since: since), options)
      return Page(
        changes: page.changes.map { ($0.logID, $0.log.map { "\($0)" }) }, next: page.nextSince, hasMore: page.more)
    case .loans:
      let page = try await three.loans.listLoanChanges(ListLoanChangesRequest(since: since), options)
      return Page(
        changes: page.changed.map { ($0.loanID, "\($0)") }, next: page.nextChangeToken, hasMore: page.hasMore)
    case .sessions:
      let page = try await SessionsClient(matching).listSessionChanges(
        ListSessionChangesRequest(since: since), options)
      return Page(
        changes: page.changed.map { ($0.sessionID, "\($0)") } + page.deletedSessionIds.map { ($0, nil) },
        next: page.nextChangeToken, hasMore: page.hasMore)
    }
  }

  private static func change(_ own: OwnChange) -> Change {
    if let group = own.group { return ("group \(group.groupID)", "\(group)") }
    if let member = own.member { return ("member \(member.groupID) \(member.member?.userID ?? "")", "\(member)") }
    if let former = own.formerGroup { return ("group \(former.groupID)", nil) }
    if let former = own.formerMember { return ("member \(former.groupID) \(former.userID)", nil) }
    return ("profile", own.profile.map { "\($0)" })
  }
}
