/** Every text of the console in English. Another language is one more file like this. */

const many = (count, one, more) => `${count} ${count === 1 ? one : more}`;

export default {
  again: "Try again", cancel: "Cancel", close: "Close", connecting: "Connecting…", copied: "Copied.", copy: "Copy",
  found: "Connected again.", live: "Live", loading: "Loading…", more: "Show more", now: "just now",
  lost: "The server cannot be reached. What you have typed is kept; the page goes on by itself as soon as it can.",
  outdated: "This part of the console could not be loaded: the connection is lost, or the server has a newer version by now.",
  reconnecting: "Connection lost, connecting again…", reload: "Load the page again", remove: "Delete", required: "This is needed.", save: "Save",

  nav: {
    main: "Main", home: "Home", groups: "Groups", books: "Books", gyms: "Gyms", activities: "Activities", sessions: "Training sessions",
    notifications: "Notifications", profile: "Profile", account: "Account and security", people: "People", chats: "Chats", api: "API explorer",
    licences: "Licences", docs: "Reference", theme: "Dark colours", login: "Log in", logout: "Log out", skip: "Skip to the content",
    front: "Tandem, front page", own: (name) => `Your menu, ${name}`,
  },

  home: {
    hello: "Train together, lend books, get home safely.",
    about: "Tandem is a suite of six services. This console is one of its clients: everything you see is one call that you can make yourself.",
    register: "Create an account", greeting: "Hello,", tourTitle: "What there is to see",
    groups: "Groups", noGroups: "You are in no group yet. Create one and invite friends by their email addresses.",
    sessions: "Next training sessions", noSessions: "No session is planned. Look for a partner at a gym near you.",
    loans: "Books you have borrowed", noLoans: "You have borrowed nothing. Search for a book to read.",
    news: "Latest news", noNews: "Nothing has happened yet.",
    noProfile: "One more step", profileHelp: "With a profile others know who trains with them and who borrows their books.", makeProfile: "Make your profile",
    tour: {
      groups: { name: "A group on its way", text: "People on a live map, journeys with arrival times, SOS, and a chat beside it." },
      books: { name: "Books and loans", text: "Find a book near you, ask for it, take it over, give it back." },
      gyms: { name: "Gyms", text: "What is near, when it is open, how full it is, and who trains there." },
      sessions: { name: "Training sessions", text: "Post a session or join one, check in, say how it was." },
      activities: { name: "Activities", text: "Drop a file of your watch: track, splits, heart rate, records." },
      api: { name: "Every method", text: "Try each of them with a form or JSON, and copy it as a command." },
    },
  },

  walk: {
    title: "A walk through the demonstration", text: "Five people are here already, and three of them are on their way. Each step makes you one of them: click, look, and change what you like.",
    as: (name) => `Go as ${name}`, go: "Go", seen: "seen", anew: "Operators make the demonstration anew in one click, whatever was done in it.",
    steps: {
      map: { name: "A group on its way", text: "Three walkers on one map, live: states by shape, trails behind them." },
      journey: { name: "Follow one to the destination", text: "Ada has promised a time. The map follows her, and says when she is expected." },
      chat: { name: "Write to all of them", text: "The chat opens at the first message that Alan has not read. Send a picture, too." },
      answer: { name: "Lend a book", text: "Grace asks for Brave New World. Accept, and name the place of the handover." },
      borrow: { name: "Find a book", text: "Search for a title, see whose copy it is, and ask for it." },
      gyms: { name: "Gyms near Waterloo", text: "On the map and by distance, with opening hours, and sessions to join." },
      session: { name: "Train with a partner", text: "Mary and Alan have a session tomorrow. Who is at the gym checks in; afterwards both say how it was." },
      track: { name: "Laps of Hyde Park", text: "Tracks with splits, heart rate and height, a summary by weeks, and records." },
      api: { name: "Every method", text: "What you saw are calls: make one yourself, and copy it as a command." },
    },
  },
  missing: { title: "There is no such page", text: "The address is wrong, or what was here is gone.", front: "To the front page" },

  login: {
    title: "Log in", name: "Email address or username", password: "Password", button: "Log in", passkey: "Log in with a passkey",
    provider: (name) => `Log in with ${name}`, register: "Create an account", forgotten: "Forgotten your password?",
    first: "Log in to see this page.", againTitle: "You were logged out",
    again: "The session was ended, perhaps on another device. Log in to go on where you are: nothing that you have typed is lost.",
  },
  register: {
    title: "Create an account", email: "Email address", emailHelp: "We send a link to it, once.", username: "Username",
    usernameHelp: "Others see it. 3 to 30 letters, digits and underscores.", password: "Password", passwordHelp: "At least 12 characters; several words are good.",
    button: "Create the account", login: "I have an account already", mailTitle: "Look into your mail", mailed: "A link is on its way to",
    until: (time) => `It is good until ${time}.`, orHere: "Open the link on any device, or paste it here:", link: "The link, or the code in it",
    linkHelp: "With it, this device needs no password again.", verify: "Confirm the address", verified: "Your address is confirmed. Welcome!",
    resend: "Send the mail again", resent: "The mail was sent again.", other: "Use another address",
    noAccount: "There is no account with this login yet:", linkInstead: "If you have an account with a password, log in to it: you can add this login there.", without: "Register with a password",
  },
  reset: { title: "Choose a new password", text: "We send a link by which you choose a new one.", button: "Send the link", done: "If there is an account with this address, a link is on its way." },

  profile: {
    picture: "Your picture", pictureHelp: "JPEG, PNG or WebP, at most 5 MiB. Where and when it was taken is removed.", pictureDone: "Your picture is set.", removePicture: "Remove the picture",
    make: "Make your profile", details: "About you", gender: "Gender", born: "Date of birth", bornHelp: "Others see your age only.", level: "Level of experience", interests: "Interests", strengths: "Strengths",
    zone: "Time zone", phone: "Telephone", visibility: "Who sees how to reach you", saved: "Your profile is saved.", badges: "Badges", noBadges: "No badge yet: train, lend a book, or import an activity.",
    visibilities: { CONTACT_VISIBILITY_EVERYONE: "Everyone", CONTACT_VISIBILITY_GROUPS_IN_COMMON: "People in my groups", CONTACT_VISIBILITY_NOBODY: "No one" },
  },
  account: {
    sessions: "Where you are logged in", endOthers: "Log out everywhere else", end: "Log out", here: "This device", unnamed: "A device", used: (ago) => `used ${ago}`,
    passkeys: "Passkeys", passkeysHelp: "Log in by fingerprint, face or the lock of this device, without a password.", noPasskeys: "There is none yet.", passkeyName: "Name of the passkey", confirm: "Your password, to confirm",
    confirmTitle: "Is it you?", confirmButton: "Confirm", providers: "Accounts elsewhere", providersHelp: "Log in here by your account elsewhere.", link: (name) => `Add ${name}`, linkNow: (email) => `Add the login of ${email || "a moment ago"}`,
    unlink: "Remove", unlinkTitle: "Remove this login?", unlinkText: "You can no longer log in by it. Where you are logged in you stay so.",
    addPasskey: "Add a passkey", passkeyAdded: "The passkey is added.", removePasskey: "Delete the passkey?", removePasskeyText: "You can no longer log in with it.",
    password: "Password", old: "Present password", new: "New password", change: "Change the password", changed: "Your password is changed.",
  },
  people: { search: "Find people", help: "Enter the beginning of a username.", none: "No one has a name that begins so.", age: "Age", rating: "Rating as a partner", write: "Write to", block: "Block", blocked: "Blocked. You see nothing of each other from now on." },

  books: {
    find: "Find", mine: "My books", requests: "Requests", borrowed: "Borrowed", add: "Add a book", search: "Search books", searchHelp: "Search by title, author or ISBN.",
    nothingFound: (query) => `No book is found for “${query}”. Try fewer words.`, recommended: "For you", noneRecommended: "Borrow or rate a book first: then others can be recommended.", becauseBorrowed: "Because you borrowed", becauseLiked: "Because you liked",
    noneOwn: "You have added no book yet. Add one by the number on its back.", noRequests: "No one has asked.", lent: "Lent now", noneLent: "None of your books is with another person.", noneBorrowed: "You have asked for no book yet.",
    pending: (count) => many(count, "request", "requests"), isbn: "ISBN", isbnHelp: "The number below the bar code, with or without hyphens.", lookUp: "Look it up", noRecord: "The number has no record here: fill in the rest yourself.",
    title: "Title", authors: "Authors", authorsHelp: "Several are separated by semicolons.", year: "Year", language: "Language", description: "About your copy", descriptionHelp: "May stay empty.", addButton: "Add to my books",
    of: "Belongs to", borrower: "Is with", onHold: "On hold", status: { BOOK_STATUS_AVAILABLE: "Available", BOOK_STATUS_REQUESTED: "Requested", BOOK_STATUS_ACCEPTED: "Promised", BOOK_STATUS_BORROWED: "Lent" },
    request: "Ask for this book", requested: "You have asked for it. The owner is told.", toLoan: "To your request", away: "It is with another person at the moment.", photo: "Add a photograph", hold: "Put on hold", release: "Offer again",
    remove: "Delete the book", removeText: "It is gone from your books, with its photographs and comments.", share: "Make a link", shareHelp: "Everyone who has this link sees what book it is, not whose.",
    comments: "Comments", comment: "Your comment", commentButton: "Add the comment", noComments: "No one has written anything yet.",
  },
  loans: {
    title: "Loan", from: "From", to: "To", due: (date) => `Due on ${date}`, dueDate: "To be given back on", dueHelp: "May stay empty.", overdue: "Overdue", requestTime: "Asked on", recalled: "Called back", accept: "Accept", acceptButton: "Accept the request", decline: "Decline",
    withdraw: "Withdraw the request", cancel: "Cancel the loan", cancelText: "The other one is told, and the book is available again.", pickup: "Place of the handover", pickupHelp: "All three or none: it can be named later.", country: "Country (two letters)", city: "City", address: "Street or place",
    handover: "Handover", return: "Return", both: "confirmed by both", byOwner: "confirmed by the owner", byBorrower: "confirmed by the borrower", isbn: "ISBN on the book", isbnHelp: "Read it from the book in your hands: that is how both confirm the same one.",
    handedOver: "I have handed it over", received: "I have received it", gotBack: "I have it back", gaveBack: "I have given it back", waitsForOther: "You have confirmed. The other one has to, too.", confirmed: "Confirmed.", recall: "Call it back", history: "What happened", toBook: "To the book",
  },

  gyms: {
    search: "Search gyms", near: "Near me", orTap: "or choose a place on the map", help: "Search by name, town or postcode, or choose a place on the map.", map: "Map of gyms and training sessions", here: "The chosen place", mySessions: "My sessions",
    gyms: "Gyms", sessions: "Training sessions here", noSessions: "No session that you could join. Choose a gym and post one.", nothingFound: "No gym is found.", open: "Open", closed: "Closed", hours: "Opening hours", noHours: "The hours are not known.",
    usage: (percent, people, capacity) => `${percent} % full: ${people} of ${capacity}`,
  },
  sessions: {
    find: "Find a session", upcoming: "Upcoming", past: "Past", none: "Nothing is planned.", nonePast: "You have not trained with anyone yet.", time: "Time", gym: "Gym", level: "Level", focus: "Focus", genders: "Partners", owner: "Posted by", partner: "Partner", start: "Start", length: "Minutes",
    post: "Post a session here", postButton: "Post the session", posted: "Your session is posted.", join: "Join this session", joined: "You have joined. The other one is told.", cannot: "You cannot join:", checkIn: "Check in", checkedIn: "You are checked in. It counts once the other one is, too.", finish: "Finish", cancel: "Cancel my part", cancelText: "Less than an hour before the start you may not post or join for a day.",
    rating: "How was it?", adjectives: "Your partner was", remarks: "Remarks", remarksHelp: "Your partner sees them.", feedback: "Send", thanks: "Thank you.",
  },

  group: {
    none: "You are in no group yet.", members: (count) => many(count, "member", "members"), create: "New group", name: "Name of the group", createButton: "Create the group", invitations: "Invitations", invitesYou: "invites you to", accept: "Join", decline: "Decline",
    map: "Live map of the group", invite: "Invite", inviteHelp: "The owner of the address gets the invitation, now or after registering.", inviteButton: "Send the invitation", invited: "The invitation is sent.", people: "Members", leave: "Leave the group", leaveText: (name) => `You see nothing of “${name}” from then on.`,
    share: "Share my position", stopSharing: "Stop sharing", startJourney: "Start a journey", stopJourney: "End the journey", shareJourney: "Link for others", link: "Link", linkHelp: (time) => `Everyone who has it sees this journey until ${time}, without an account.`,
    chooseGoal: "Choose the destination on the map, or enter it.", goalChosen: (latitude, longitude) => `Destination: ${latitude}, ${longitude}`, goal: "Destination", goalHelp: "Latitude and longitude; empty for the place chosen on the map.", goalOf: (name) => `Destination of ${name}`, arrival: "Promised arrival", mode: "How", go: "Go",
    promised: (time) => `promised for ${time}`, estimated: (time) => `expected at ${time}`, journeyOf: (name) => `Replay the way of ${name}`, over: "You are no longer a member of this group.",
    placeEvents: { PLACE_EVENT_KIND_ARRIVED: (name, place) => `${name} has arrived: ${place}`, PLACE_EVENT_KIND_LEFT: (name, place) => `${name} has left: ${place}` },
  },
  states: { MEMBER_STATE_INACTIVE: "not sharing", MEMBER_STATE_ACTIVE: "sharing", MEMBER_STATE_ROUTING: "on a journey", MEMBER_STATE_WARNING: "needs a look", MEMBER_STATE_SOS: "SOS" },
  warnings: { WARNING_OFFLINE: "sends nothing", WARNING_STANDING_STILL: "stands still", WARNING_LATE: "is late" },
  modes: { none: "not said", WALKING: "on foot", CYCLING: "by bicycle", DRIVING: "by car", TRANSIT: "by bus or train" },
  sos: {
    start: "SOS", stop: "End the SOS", sure: "All members of all your groups are told at once, and see where you are until you end it.", send: "Send the SOS", sent: (count) => `${many(count, "member was", "members were")} alerted.`,
    needsHelp: "needs help.", seen: (ago) => `Last seen ${ago}.`, noPlace: "No position is known.", show: "Show on the map",
  },
  journey: { title: "Journey", sos: "SOS alert", start: "Start", end: "End", lasts: "still under way", outcome: "Outcome", points: "Positions", none: "No position was recorded.", group: "To the group", map: "Map of the way", place: "Place on the way", speed: "Speed of the replay", play: "Play", pause: "Pause" },
  shared: { title: "A shared journey", isOnTheWay: "is on the way", over: "The journey is over.", seen: (ago) => `Last position: ${ago}`, noPosition: "There is no position yet.", estimated: "Expected at", expires: "The link ends" },
  map: { name: "Map", zoomIn: "Closer", zoomOut: "Farther", noPlace: "This device does not say where it is. Allow it in the browser, or choose a place on the map." },

  chat: {
    title: "Chat", messages: "Messages", write: "Write a message", send: "Send", waiting: "waiting to be sent", someone: "Someone", none: "No message yet. Say hello.", newest: "New messages below", closed: "You are no longer in this conversation.", deleted: "deleted", folded: "hidden, as one of you has blocked the other", picture: (name) => `A picture of ${name}`, onePicture: "A picture", addPicture: "Add a picture", chosen: "The chosen picture", dropPicture: "Leave the picture out", edited: "edited", edit: "Change",
    unread: "New", online: (names) => (names ? `Online: ${names}` : "No one else is online"), onlineCount: (count) => `Live · ${count} online`, seen: "seen", typing: "is writing…", with: "Chat with", direct: "Direct chat", noChats: "No conversation yet. Write to someone from their profile, or create a group.",
    notices: { SYSTEM_NOTICE_JOINED: "joined the group", SYSTEM_NOTICE_LEFT: "left the group" },
  },

  activity: {
    all: "All", summary: "Summary", records: "Records", none: "No activity yet. Drop a file above.", drop: "Drop GPX, TCX or FIT files here, or exports of Apple Health, Google or Fitbit", choose: "Choose files", sending: (name) => `Sending ${name}`, sendingNow: "Sending…",
    imported: (fresh, known) => `${many(fresh, "new activity", "new activities")}${known ? `, ${known} known already` : ""}.`, fault: "The rest could not be read:", noSummary: "Nothing in the last twelve weeks.", noRecords: "Records come with activities that have a distance.", noSplits: "There are no splits.", distance: "Distance", duration: "Time", count: "Activities", ascent: "Climbed",
    sport: "Sport", record: "Record", on: "On", moving: "In motion", pace: "Pace", heart: "Heart rate", heartMax: "Highest", height: "Height", energy: "Energy", source: "From", speed: "Speed", splits: "Splits", kilometre: "km", fastest: "fastest", map: "Map of the track", remove: "Delete the activity?", removeText: "It is gone with all its sources.",
  },
  trackers: {
    title: "Trackers", none: "No tracker can be connected here. Files of all of them can be dropped at “All”.", since: (day) => `Connected since ${day}`, synced: (ago) => `fetched ${ago}`, missing: (kinds) => `Not allowed by you: ${kinds}.`,
    connect: (name) => `Connect ${name}`, again: "Allow it again", leave: (name) => `${name} asks you what Tandem may read of yours there. You can end it at any time.`, history: "How much of the past", month: "The last month", year: "The last year", all: "All that there is", go: (name) => `On to ${name}`,
    fetch: "Fetch now", stop: "Stop", end: "Disconnect", endTitle: (name) => `Disconnect ${name}?`, endText: "Nothing new comes in. What was brought in stays.", toProvider: (name) => `To your account at ${name}`, progress: "How far the import is",
    activities: (count) => many(count, "activity", "activities"), days: (count) => many(count, "day with steps", "days with steps"), sleeps: (count) => many(count, "night", "nights"), weights: (count) => many(count, "weight", "weights"),
  },
  plot: { summary: (name, least, most) => `${name}, from ${least} to ${most}` },
  inbox: { none: "Nothing yet. What happens to your books, sessions and groups is told here.", unread: (count) => `${count} unread`, isNew: "new", markAll: "Mark all as read" },
  licences: { from: (wheel, licence) => `From the wheel ${wheel}. ${licence}.` },

  api: {
    title: "API explorer", choose: "Choose a method. All of them are here with what the contract says about them.", search: "Search methods", form: "Form", json: "JSON", call: "Call", stop: "Stop", send: "Send the message", end: "Say that nothing more is sent", open: "Open the stream", request: "Request", answer: "Answer", headers: "Headers for every call", headersHelp: "One on each line: name: value",
    timeout: "Seconds it may take", history: "History", clear: "Clear", noHistory: "Nothing has been called from this browser yet.", copyAs: "Copy as", curl: "curl", grpcurl: "grpcurl", tandem: "tandem rpc call", status: "Status", took: (time) => `${time} ms`, metadata: "Metadata", messages: "Messages", refusals: "Refusals", invalid: (why) => `This is no JSON: ${why}`, add: "Add", stream: "stream", needsLogin: "needs a login", repeat: "Show again",
  },

  labels: {
    LOAN_STATE: { pending: "asked for", withdrawn: "withdrawn", declined: "declined", accepted: "accepted", cancelled: "cancelled", borrowed: "borrowed", returned: "returned", lost: "lost" },
    STEP: { request: "Asked for", withdraw: "Withdrawn", decline: "Declined", accept: "Accepted", cancel: "Cancelled", confirm_handover: "First one confirmed the handover", hand_over: "Handed over", confirm_return: "First one confirmed the return", return: "Given back", recall: "Called back", change_pickup: "Place of the handover named", declare_lost: "Declared lost", declare_returned: "Declared returned" },
    FOCUS: { strength: "Strength", hypertrophy: "Muscle building", weightlifting: "Weightlifting", powerlifting: "Powerlifting", calisthenics: "Calisthenics", cardio: "Cardio", intervals: "Intervals", functional: "Functional", mobility: "Mobility", yoga: "Yoga and pilates", combat: "Martial arts", climbing: "Climbing" },
    LEVEL: { novice: "Novice", beginner: "Beginner", intermediate: "Intermediate", advanced: "Advanced", expert: "Expert" },
    GENDER: { male: "Men", female: "Women", other: "Others" },
    SESSION_STATE: { open: "open", matched: "with a partner", successful: "both are there", failed: "did not happen", lapsed: "no one came", cancelled: "cancelled" },
    JOIN_OBSTACLE: { own_session: "it is yours", session_taken: "someone was faster", session_started: "it has begun", gender_not_admitted: "the owner looks for other partners", level_too_low: "one of the two has to be advanced", barred: "you are barred for a while", slot_taken: "you have a session at this time", joins_ended: "it is too close to the start" },
    ADJECTIVE: { punctual: "punctual", motivating: "motivating", friendly: "friendly", knowledgeable: "knowledgeable", patient: "patient", focused: "focused", considerate: "considerate", distracted: "distracted", impatient: "impatient", careless: "careless" },
    SPORT: { other: "Other", run: "Run", ride: "Ride", walk: "Walk", hike: "Hike", swim: "Swim", row: "Rowing", ski: "Ski", strength: "Strength", yoga: "Yoga" },
    RECORD_KIND: { fastest: "fastest", farthest: "farthest", longest: "longest" },
    JOURNEY_OUTCOME: { on_time: "arrived on time", late: "arrived late", stopped: "ended", sos: "became an SOS" },
    TRAVEL_MODE: { walking: "on foot", cycling: "by bicycle", driving: "by car", transit: "by bus or train", unspecified: "" },
    TRACKER_STATE: { available: "not connected", connected: "connected", needs_consent: "has to be allowed again", unavailable: "paused by the operators" },
    DATA_KIND: { activities: "activities", steps: "steps", sleep: "sleep", weight: "weight" },
    IMPORT_STATE: { gathering: "begins", importing: "runs", succeeded: "done", failed: "failed", cancelled: "stopped" },
    DAY: { monday: "Monday", tuesday: "Tuesday", wednesday: "Wednesday", thursday: "Thursday", friday: "Friday", saturday: "Saturday", sunday: "Sunday" },
  },

  /** What to say of an error by its reason; others are said by their code. */
  reasons: {
    CREDENTIALS_INCORRECT: "Name or password is wrong.", PASSKEY_DECLINED: "No passkey was used: the browser was told not to, or it has none for this site.", NO_PLACE: "This device does not say where it is. Allow it in the browser, or choose a place on the map.",
    TOO_MANY_CALLS_OF_ADDRESS: "That was a lot at once. Wait a moment, then try again.", TOO_MANY_CALLS_OF_USER: "That was a lot at once. Wait a moment, then try again.",
    UNSUPPORTED_IMAGE: "This file is no picture that can be used: JPEG, PNG or WebP, at most 5 MiB and 50 megapixels.", ISBN_MISMATCH: "That is another book: compare the number on it.", CONVERSATION_NOT_FOUND: "You are not in this conversation.", GROUP_NOT_FOUND: "There is no such group, or you are not in it.",
    CROSS_SITE_REQUEST: "The page was opened from another address than that of the server. Load it again.",
  },
  codes: {
    unavailable: "The server cannot be reached at the moment. Nothing is lost; try again in a moment.", deadline_exceeded: "That took too long. Try again.", unauthenticated: "Log in first.", permission_denied: "You may not do this.",
    internal: "Something went wrong at the server. Try again later.", unimplemented: "The server does not offer this.", resource_exhausted: undefined,
    unknown: "This did not work. Try again, or load the page again.",
  },
};
