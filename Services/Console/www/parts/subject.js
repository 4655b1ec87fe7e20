/** The views of what notifications are about: `groups/019b…` is a path of the contract. */
const VIEWS = {
  groups: (id) => `groups/${id}`,
  books: (id) => `books/${id}`,
  loans: (id) => `loans/${id}`,
  sessions: (id) => `sessions/${id}`,
  journeys: (id) => `journeys/${id}`,
  chats: (id) => `chats/${id}`,
  activities: (id) => `activities/${id}`,
  invitations: () => "groups",
  imports: () => "activities?tab=trackers",
  trackers: () => "activities?tab=trackers",
  profiles: () => "profile",
  profile: () => "profile",
  badges: () => "profile",
};

/** The path of the view of a notification's subject; undefined where there is none. */
export function pathOf(subject) {
  const [kind, id] = (subject ?? "").split("/");
  return VIEWS[kind]?.(id);
}
