import LendingDomain
import TTRPC
import TTRPCClient
import TandemChat
import TandemTracking
import TestSupport
import Testing
import TrackerSimulator

/// All users of a long run, what they were told, and what must be so in the end.
final class LongCast: Sendable {
  private static let borrowers = 6
  private static let books = 40
  private static let trainees = 6
  private static let walkers = 8
  private static let strollers = 8
  private static let viewers = 2
  private static let senders = 3
  private static let readers = 2
  private static let runners = 3
  private static let pairs = 2
  private static let guests = 3
  private static let isbn = "9780441172719"

  let suite: LongStage
  let run: LongRun
  private let seed: UInt64
  private let borrowing: [ThreeServices.Member]
  private let walking: [ThreeServices.Member]
  private let viewing: [ThreeServices.Member]
  private let talking: [ThreeServices.Member]
  private let running: [ThreeServices.Member]
  private let trainees: [Trainee]
  private let stage: TrackingStage
  private let talk: ChatTalk
  private let training: [TrainingStage]
  private let simulator: TrackerSimulator
  private let books = Gathered<String>()
  private let borrowed = Gathered<LoanActor.Acknowledgement>()
  private let departed = Gathered<String>()
  private let stayed = Gathered<String>()
  private let journal = TrainingJournal()
  private let outcomes = Gathered<GroupActor.Outcome>()
  private let walks = Gathered<Walker.Walk>()
  /// Of users whom no viewer sees.
  private let strolls = Gathered<Walker.Walk>()
  private let seen = Gathered<[SeenChange]>()
  private let views = Gathered<ChatView>()
  private let uploads = Gathered<ImportActor.Uploads>()
  private let first: [String: Int64]

  /// Has all users join.
  init(_ suite: LongSuite, _ run: LongRun, _ simulator: TrackerSimulator, seed: UInt64) async throws {
    (self.run, self.seed, self.simulator) = (run, seed, simulator)
    let threes = suite.threes
    self.suite = LongStage(threes: threes, tracking: suite.tracking, importer: suite.importer)
    func join(_ name: String, _ count: Int) async throws -> [ThreeServices.Member] {
      let members = try await withThrowingTaskGroup(of: ThreeServices.Member.self) { tasks in
        for number in 0..<count { tasks.addTask { try await threes[number % 2].joinPatiently("\(name)\(number)") } }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      run.acknowledge(.accounts, count)
      return members
    }
    borrowing = try await join("reader", Self.borrowers)
    walking = try await join("walker", Self.walkers)
    viewing = try await join("viewer", Self.viewers)
    talking = try await join("talker", Self.senders + Self.readers)
    running = try await join("runner", Self.runners)
    for number in 0..<Self.books {
      let owner = borrowing[number % Self.borrowers]
      books.add(try await threes[number % 2].add("Book \(number)", isbn: Self.isbn, as: owner).bookID)
    }
    training = (0..<2).map {
      TrainingStage(three: threes[$0], matching: suite.matching[$0], operators: suite.operators[$0])
    }
    let gym = try await threes[0].gym(at: TrainingStage.point)
    var trainees: [Trainee] = []
    for number in 0..<Self.trainees {
      let stage = training[number % 2]
      trainees.append(
        Trainee(
          stage: stage, member: try await stage.trainee("trainee\(number)"), gym: gym,
          chance: SeededRandomness(seed: seed &+ 100 &+ UInt64(number)), journal: journal))
      run.acknowledge(.accounts)
    }
    self.trainees = trainees
    let tracking = TrackingSuite(
      users: threes[0], identityPort: try #require(suite.services.ports["identity"]),
      certificates: suite.services.certificates)
    let group = try await tracking.group(of: walking + viewing)
    let conversation = try await tracking.group(of: talking)
    run.acknowledge(.groups, 2 * (walking.count + viewing.count + talking.count) - 2)
    for client in suite.tracking {
      for (group, members) in [(group, walking + viewing), (conversation, talking)] {
        try await tracking.wait(for: LocationsClient(client), toShow: members.count, of: group, to: members[0])
      }
    }
    stage = TrackingStage(suite: tracking, replicas: suite.tracking, groups: [group])
    talk = ChatTalk(at: suite.tracking.map { ChatClient($0) }, in: conversation, users: threes[1])
    var member = walking[0]
    first = try await Self.numbers(stage, &member)
  }

  private func chance(_ number: Int) -> SeededRandomness { SeededRandomness(seed: seed &+ UInt64(number)) }

  // MARK: Play

  /// Lets all users act until the run ends.
  func play() async throws {
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { [self] in try await move() }
      tasks.addTask { [self] in try await chat() }
      for (number, member) in borrowing.enumerated() {
        tasks.addTask { [self] in try await borrow(number, as: member) }
      }
      for trainee in trainees {
        tasks.addTask { [run] in while try await run.pause(.milliseconds(200)) { try await trainee.act(1) } }
      }
      tasks.addTask { [self] in
        let chance = chance(900)
        while try await run.pause(.seconds(20)) { try await training[0].liftSomeBars(chance, journal) }
      }
      for (number, member) in running.enumerated() {
        tasks.addTask { [self] in
          let user = ImportingUser(importer: suite.importer[number % 2], simulator: simulator)
          try await ImportActor(run: run, suite: suite.threes[number % 2], user: user).act(as: member, uploads)
        }
      }
      for number in 0..<Self.pairs {
        tasks.addTask { [self] in
          try await GroupActor(
            run: run, suite: suite.threes[number % 2], chance: chance(300 + number), outcomes: outcomes
          ).act("pair\(number)")
        }
      }
      for number in 0..<Self.guests {
        tasks.addTask { [self] in
          try await AccountActor(
            run: run, suite: suite.threes[number % 2], chance: chance(400 + number), departed: departed, stayed: stayed
          ).act("guest\(number)")
        }
      }
      try await tasks.waitForAll()
    }
  }

  private func borrow(_ number: Int, as member: ThreeServices.Member) async throws {
    let actor = LoanActor(
      suite: suite.threes[number % 2], chance: chance(number), books: books, departed: departed, stepsToDeparture: 300,
      isbn: Self.isbn, acknowledged: borrowed, surprises: run.surprises)
    try await actor.act(as: member) { [run] in try await run.pause(.milliseconds(200)) }
  }

  /// Walkers report and viewers watch; the viewers end once they have seen everything.
  private func move() async throws {
    try await withThrowingTaskGroup { tasks in
      for (number, member) in viewing.enumerated() {
        tasks.addTask { [self] in seen.add(try await stage.watch(as: member, behind: first, chance(500 + number))) }
      }
      try await withThrowingTaskGroup { walkers in
        for (number, member) in walking.enumerated() {
          walkers.addTask { [self] in
            let walker = Walker(run: run, stage: stage, chance: chance(600 + number), isSlow: true)
            walks.add(try await walker.walk(as: member))
          }
        }
        for number in 0..<Self.strollers { walkers.addTask { [self] in try await stroll(number) } }
        try await walkers.waitForAll()
      }
      var member = walking[0]
      stage.ends.add(try await Self.numbers(stage, &member))
      // One more change, for viewers who have seen all others.
      _ = try await stage.patiently(&member, chance(700)) { try await JourneysClient($0).stopSOS(StopSOSRequest(), $1) }
      try await tasks.waitForAll()
    }
  }

  /// Walks as fast as a phone may report; when a user's path is full another user joins.
  private func stroll(_ number: Int) async throws {
    let walker = Walker(run: run, stage: stage, chance: chance(650 + number))
    var count = 0
    while run.goesOn {
      let member = try await suite.threes[number % 2].joinPatiently("stroller\(number).\(count)")
      run.acknowledge(.accounts)
      strolls.add(try await walker.walk(as: member))
      count += 1
    }
  }

  private static func numbers(
    _ stage: TrackingStage, _ member: inout ThreeServices.Member
  ) async throws -> [String: Int64] {
    let answer = try await stage.patiently(&member, SeededRandomness(seed: 1)) {
      try await LocationsClient($0).getMembers(GetMembersRequest(groupIds: stage.groups), $1)
    }
    return Dictionary(answer.groups.map { ($0.groupID, $0.sequence) }) { $1 }
  }

  /// Senders talk, edit and delete; readers end once they have seen everything.
  private func chat() async throws {
    try await withThrowingTaskGroup { tasks in
      for reader in 0..<Self.readers {
        tasks.addTask { [self] in
          let cuts = reader.isMultiple(of: 2) ? chance(800 + reader) : nil
          views.add(try await talk.read(as: talking[Self.senders + reader], at: reader, cutBy: cuts))
        }
      }
      try await withThrowingTaskGroup { senders in
        for sender in 0..<Self.senders {
          senders.addTask { [self] in
            let chance = chance(810 + sender)
            var count = 0
            while try await run.pause(.milliseconds(500)) {
              let sent = try await talk.send(
                (count..<count + 20).map { "\(sender): \($0)" }, as: talking[sender], at: sender)
              count += 20
              if chance.uint64() % 4 == 0 {
                try await talk.changeInReverse(sent, as: talking[sender], at: sender)
              }
            }
          }
        }
        try await senders.waitForAll()
      }
      _ = try await talk.send([ChatTalk.end], as: talking[0], at: 0)
      try await tasks.waitForAll()
    }
  }

  /// Counts what the mixes' own ledgers have.
  func count() {
    run.set(.loans, borrowed.all.count)
    run.set(.sessions, journal.acknowledged.all.count)
    run.set(.chat, talk.acknowledged.all.count + talk.changed.all.count)
  }

  // MARK: In the end

  /// Waits until everything that was begun has ended and the services agree; returns what has not.
  func settle() async throws -> [String] {
    let queries = [
      LoanLedger.unsettled, LoanLedger.disagreements, GroupActor.disagreements, ImportActor.unsettled,
      "select id::text from matching.users where not cleaned_up",
      """
      select id::text from matching.sessions
      where state in ('OPEN', 'MATCHED') and starts_at < now() - interval '20 minutes'
      """,
    ]
    var waiting: [String] = []
    // A job of a killed process is taken up once its lease has ended, which is a minute, perhaps after another attempt.
    for _ in 0..<2 {
      _ = try await eventually {
        waiting = []
        for query in queries { waiting += try await suite.threes[0].sql(query).prefix(5).map { "\($0[0] ?? "")" } }
        return waiting.isEmpty
      }
    }
    return waiting
  }

  /// What is wrong, by mix.
  func complaints() async throws -> [(mix: String, complaints: [String])] {
    let users = suite.threes[0]
    var positions = try await Walker.complaints(walks.all + strolls.all, users) + stage.surprises.all
    let ledger = TrackingLedger(
      users: users, groups: stage.groups, acknowledged: [], visible: Walker.visible(walks.all),
      ends: stage.ends.all.first ?? [:])
    let log = try await ledger.log()
    for (viewer, changes) in seen.all.enumerated() {
      positions += ledger.complaints(of: viewer, changes, behind: first, log: log)
    }
    let sessions = try await SessionLedger(users)
    LongRun.say(sessions.summary)
    return [
      ("positions", positions),
      ("chat", talk.complaints(views.all)),
      ("loans", try await LoanLedger(users).complaints(borrowed.all, departed: Set(departed.all))),
      ("sessions", journal.surprises.all + sessions.complaints(journal)),
      ("imports", try await ImportActor.complaints(uploads.all, users)),
      ("groups", try await GroupActor.complaints(outcomes.all, users)),
      ("accounts", try await AccountActor.complaints(departed: departed.all, stayed: stayed.all, users)),
    ]
  }
}

/// What users of a long run call.
struct LongStage: Sendable {
  /// The first replicas and the second ones.
  let threes: [ThreeServices]
  let tracking: [RPCClient]
  let importer: [RPCClient]
}
