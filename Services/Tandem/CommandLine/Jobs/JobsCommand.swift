import ArgumentParser
import Identifiers
import Jobs

/// `tandem jobs`.
struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "See what services do later, and have tried again what they gave up.",
    usage: """
      tandem jobs list
      tandem jobs list --state waiting --service identity -o json
      tandem jobs show 0197a5a0-0000-7000-8000-000000000001
      tandem jobs retry 0197a5a0-0000-7000-8000-000000000001
      """,
    discussion: JobsText.discussion,
    subcommands: [ListJobsCommand.self, ShowJobCommand.self, RetryJobsCommand.self])
}

private enum JobsText {
  static let discussion = """
    Jobs are rows in each service's database. Its URL comes from TANDEM_<SERVICE>_DATABASE_URL, TANDEM_DATABASE_URL, or the \
    files of the same names with _FILE; else from the suite that `tandem up` runs. What a job holds is not shown.

    Exit status: 0 done, 1 no such job or no database, 2 wrong usage.
    """
}

/// `tandem jobs list`.
struct ListJobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List jobs: those that were given up, or others.",
    usage: """
      tandem jobs list
      tandem jobs list --state any --kind gym_reminder --service identity
      """, discussion: JobsText.discussion)

  /// Which jobs are listed.
  enum Selection: String, ExpressibleByArgument, CaseIterable {
    case dead, waiting, running, any

    var state: JobRecord.State? { JobRecord.State(rawValue: rawValue) }
  }

  @Option(help: "Which jobs: given up, to be done, at work, or all of them.")
  var state = Selection.dead

  @Option(help: ArgumentHelp("Jobs of one kind.", valueName: "name"))
  var kind: String?

  @OptionGroup var list: ListOptions

  func run() async throws {
    try await list.show(FoundJob.self) { ListJobs(kind: kind, state: state.state, limit: $0) }
  }
}

/// `tandem jobs show`.
struct ShowJobCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all there is to know about a job but what it holds.",
    usage: """
      tandem jobs show 0197a5a0-0000-7000-8000-000000000001
      tandem jobs show 0197a5a0-0000-7000-8000-000000000001 -o json
      """, discussion: JobsText.discussion)

  @Argument(help: "The job's id.", transform: uuidArgument(of: "job"))
  var id: UUID7

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption

  func run() async throws {
    for database in try ServiceDatabases.named(place) {
      guard let job = try await database.rows(FindJob(id: id)).first else { continue }
      return FoundJob(service: database.service, record: job).show(form.output)
    }
    throw Complaint("there is no job \(id)")
  }
}

/// `tandem jobs retry`.
struct RetryJobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Have jobs that were given up tried again, as often as new ones.",
    usage: """
      tandem jobs retry 0197a5a0-0000-7000-8000-000000000001
      tandem jobs retry --all --service identity --kind gym_reminder
      """,
    discussion: """
      Each is done as soon as a replica looks, within seconds. A job is left as it is when another of its kind and key \
      lives meanwhile: that one stands for it. With --all such a job is mentioned; named by its id, it is an error.

      \(JobsText.discussion)
      """)

  @Argument(help: "The jobs' ids.", transform: uuidArgument(of: "job"))
  var ids: [UUID7] = []

  @Flag(help: "All jobs that were given up, of the service and kind that are named.")
  var all = false

  @Option(help: ArgumentHelp("With --all: jobs of one kind.", valueName: "name"))
  var kind: String?

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption

  func validate() throws {
    if all, !ids.isEmpty { throw ValidationError("name jobs, or say --all") }
    if !all, ids.isEmpty { throw ValidationError("name the jobs by their ids, or say --all") }
    if !all, kind != nil { throw ValidationError("--kind goes with --all") }
  }

  func run() async throws {
    var (retried, found): ([FoundJob], Set<UUID7>) = ([], [])
    var complaints: [String] = []
    for database in try ServiceDatabases.named(place) {
      for id in all ? try await database.deadJobs(kind) : ids {
        switch try await database.retryJob(id) {
        case .retried(let job):
          retried.append(FoundJob(service: database.service, record: job))
          found.insert(id)
        case .isLiving:
          complaints.append("\(id) is not given up")
          found.insert(id)
        case .hasSuccessor:
          let note = "\(id) was not retried: another job of its kind and key lives meanwhile"
          // With --all this is not an error, as the job was not named.
          if all { tell("tandem: \(note)") } else { complaints.append(note) }
          found.insert(id)
        case .isMissing: continue
        }
      }
    }
    FoundJob.show(retried, form.output)
    complaints += ids.filter { !found.contains($0) }.map { "there is no job \($0)" }
    guard complaints.isEmpty else { throw Complaint(complaints.joined(separator: "\n")) }
  }
}
