/** What a group's members are and where, as it changes: the stream `Locations.Watch` over a WebSocket. */

import { tandem } from "../session.js";

const METHOD = "tandem.tracking.v1.Locations/Watch";

/** Looks for a group that is new, and milliseconds between them. */
const [MAX_LOOKS, LOOK] = [6, 700];

/** Events: `changed` with the ids of members, `place` with what happened at one, `ended`, `state` with "live" or "waiting". */
export class GroupWatch extends EventTarget {
  members = new Map();
  #after;
  #epoch;
  #looks = 0;

  constructor(groupId) {
    super();
    this.groupId = groupId;
  }

  /** Runs until the signal ends it. A lost connection goes on behind the last change. */
  async run(signal) {
    const begin = (socket) => socket.send({ add: [{ groupId: this.groupId, after: this.#after, epoch: this.#epoch }] });
    const state = (state) => this.dispatchEvent(new CustomEvent("state", { detail: state }));
    await tandem.live(METHOD, begin, (message, socket) => this.#receive(message, () => begin(socket)), { signal, state });
  }

  #receive({ snapshot, resumed, changes, end }, addAgain) {
    if (snapshot) {
      this.#after = snapshot.group.sequence ?? "0";
      this.#epoch = snapshot.group.epoch;
      this.members = new Map((snapshot.group.members ?? []).map((member) => [member.userId, member]));
      this.#tell([...this.members.keys()], true);
    } else if (resumed) {
      this.#epoch = resumed.epoch ?? this.#epoch;
    } else if (changes) {
      this.#tell(changes.changes.map((change) => this.#change(change)).filter(Boolean), false);
    } else if (end?.reason === "WATCH_END_REASON_NOT_FOUND" && this.#looks < MAX_LOOKS) {
      // A group that is new is known to tracking a moment later.
      this.#looks += 1;
      setTimeout(addAgain, LOOK);
    } else if (end) {
      this.dispatchEvent(new CustomEvent("ended", { detail: end.reason }));
    }
  }

  #change({ sequence, member, removedUserId, placeEvent }) {
    this.#after = sequence;
    if (removedUserId) this.members.delete(removedUserId);
    if (placeEvent) this.dispatchEvent(new CustomEvent("place", { detail: placeEvent }));
    if (!member) return removedUserId;
    const before = this.members.get(member.userId);
    this.members.set(member.userId, { ...member, username: member.username || before?.username || "", position: member.position ?? before?.position });
    return member.userId;
  }

  #tell(ids, isWhole) {
    this.dispatchEvent(new CustomEvent("changed", { detail: { ids, isWhole } }));
  }
}
