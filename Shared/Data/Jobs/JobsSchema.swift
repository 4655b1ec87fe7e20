import Identifiers
import Postgres

/// The table of jobs, the same in every service's schema.
public enum JobsSchema {}

extension PutJob {
  init(_ job: Job, due: Instant, id: UUID7, now: Instant) {
    self.init(id: id, kind: job.kind, key: job.key, payload: job.payload, now: now, due: due)
  }
}

extension KeepJob {
  init(_ job: Job, due: Instant, id: UUID7, now: Instant) {
    self.init(id: id, kind: job.kind, key: job.key, payload: job.payload, now: now, due: due)
  }
}

extension PutRepeatingJob {
  init(_ job: Job, _ recurrence: Recurrence, after lastDay: CivilDate?, id: UUID7, now: Instant) {
    self.init(
      id: id, kind: job.kind, key: job.key, payload: job.payload, now: now,
      repeatMinute: Int32(recurrence.minuteOfDay), repeatWeekdays: Int32(recurrence.weekdays.rawValue),
      repeatZone: recurrence.zone, lastDay: lastDay)
  }
}

extension KeepRepeatingJob {
  init(_ job: Job, _ recurrence: Recurrence, after lastDay: CivilDate?, id: UUID7, now: Instant) {
    self.init(
      id: id, kind: job.kind, key: job.key, payload: job.payload, now: now,
      repeatMinute: Int32(recurrence.minuteOfDay), repeatWeekdays: Int32(recurrence.weekdays.rawValue),
      repeatZone: recurrence.zone, lastDay: lastDay)
  }
}
