/** Every text of the operators' console in English. Another language is one more file like this. */

export default {
  title: "Tandem, for operators",
  nav: {
    label: "Operators", health: "Health", metrics: "Metrics", users: "Users", jobs: "Jobs", events: "Events", reports: "Reports", bars: "Bars",
    settings: "Settings", log: "Log", leave: "Leave",
  },
  enter: {
    title: "Operators get in by a link", waiting: "The link is being followed…",
    text: "The link is the operator's: it is shown when the suite starts, and this command makes another. Each is good once, for ten minutes.",
    command: "tandem console", left: "You have left. Another link lets you in again.",
  },
  health: {
    title: "Health", ready: "Ready", notReady: "Not ready", unreachable: "Not reachable", version: "Version", schema: "Schema", database: "Database", address: "Health port",
    checks: "What fails", lacks: "What is lacking", cure: "To mend it", live: "Looked at again every 5 seconds",
    all: (ready, all) => `${ready} of ${all} processes are ready`,
  },
  demo: {
    title: "Demonstration", text: (names) => `Five people, three of whom are on their way now: ${names}. What was done as one of them is lost when they are made anew.`,
    reset: "Make it anew", asked: "Make the demonstration anew?", askedText: "The people are deleted with all that is theirs, and made again.", done: "The demonstration is new.",
    names: "ada_demo, hedy_demo, grace_demo, alan_demo and mary_demo",
  },
  metrics: {
    title: "The last hour", service: "Process", all: "All processes", help: "Sampled every ten seconds since this gateway started, and kept for an hour. Prometheus keeps more.", none: "The first point comes after twenty seconds.",
    plots: {
      calls: "Calls a second", failures: "Failed calls a second", slow_seconds: "19 of 20 calls took at most", cpu: "Processor, of one core", memory_bytes: "Memory",
      connections: "Connections", statements: "Statements a second", database_waits: "Waits for a connection, a second", event_lag_seconds: "Events take effect after", events_parked: "Parked events", jobs_dead: "Jobs that were given up",
    },
  },
  jobs: {
    title: "Jobs", state: "State", states: { dead: "Given up", waiting: "Waiting", running: "At work", any: "All" }, service: "Service", all: "All services", kind: "Kind", key: "Key", due: "Due", attempts: "Attempts", failure: "Last failure",
    none: "There are none.", retry: "Retry", retryAll: "Retry all of these", retried: (count) => `${count} will be tried again within seconds.`,
  },
  events: {
    title: "Events", consumers: "Who follows whom", service: "Service", producer: "Events of", applied: "Applied", lag: "Lag, on average", parked: "Parked", skipped: "Left out", failures: "Failed attempts", blocked: "Held up",
    aside: "What was set aside", none: "Nothing was set aside.", noConsumers: "No process has told of its consumers yet; that takes some seconds.", type: "Event", key: "Key", state: "State", since: "Since", attempts: "Attempts", failure: "Failure",
    states: { failing: "Fails", waiting: "Waits behind another", skipped: "Left out" },
    retry: "Retry", skip: "Leave out", retried: "It will be tried within seconds.", skippedNow: "It is left out.", skipAsked: "Leave this event out?", skipText: "What it tells never takes effect, and later ones of its key go on. It can be retried later.",
  },
  users: {
    title: "Users", search: "Find users", help: "Enter an email address, or the beginning of a username.", none: "No account is found.", locked: "Locked", unverified: "Not verified", sessions: "Sessions", lastUse: "Last use", registered: "Registered", verified: "Verified", email: "Email address", id: "Id",
    lock: "Lock", unlock: "Unlock", lockAsked: "Lock this account?", lockText: "All of its sessions end, and no one can log in to it until it is unlocked.", lockedNow: "The account is locked.", unlockedNow: "The account is unlocked.",
    open: "Where the account is logged in", unnamed: "A device", since: (time) => `since ${time}`, used: (ago) => `used ${ago}`, noSessions: "Nowhere.",
    events: "Security events", noEvents: "There are none.", from: (address) => `from ${address}`, reports: "Reports", bars: "Bars",
  },
  reports: {
    title: "Reports", open: "Open", all: "With the closed ones", none: "There are none.", by: "Reported by", deleted: "an account that was deleted", remarks: "Remarks", close: "Close", closed: "Closed", reason: "Why", actor: "Who closes it", evidence: "Evidence", closedNow: "The report is closed.", history: "History",
  },
  bars: {
    title: "Bars", present: "In force", all: "With those that ended", none: "There are none.", until: "Until", lifted: "Lifted", lift: "Lift", reason: "Why", actor: "Who lifts it", liftedNow: "The bar is lifted.", cause: "Cause",
  },
  settings: { title: "Settings", process: "Process", filter: "Contains", changed: "Only what is set", name: "Setting", value: "Value", from: "From", meaning: "Meaning", unset: "not set", none: "No setting is like that.", isDefault: "default" },
  log: { title: "Log", service: "Program", all: "All programs", filter: "Contains", follow: "Follow", none: "There are no such lines." },
};
