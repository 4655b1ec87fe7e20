/** Tells the groups where this device is, as it moves. Positions that cannot be sent wait; their time is their key, so none counts twice. */

import { tandem } from "../session.js";

const METHOD = "tandem.tracking.v1.Locations/ReportBatch";
/** As many as a call takes. */
const MAX_POINTS = 500;

class Sharing extends EventTarget {
  #watch;
  #waiting = [];
  #isSending = false;

  get isOn() {
    return this.#watch !== undefined;
  }

  start() {
    if (this.isOn || !navigator.geolocation) return;
    const found = ({ coords, timestamp }) => this.add({
      latitude: coords.latitude, longitude: coords.longitude, time: new Date(timestamp).toISOString(),
      accuracyM: coords.accuracy > 0 ? Math.min(coords.accuracy, 10_000) : undefined, altitudeM: coords.altitude ?? undefined,
      speedMps: coords.speed ?? undefined, course: Number.isFinite(coords.heading) ? coords.heading : undefined,
    });
    this.#watch = navigator.geolocation.watchPosition(found, () => this.dispatchEvent(new Event("refused")), { enableHighAccuracy: true });
    this.dispatchEvent(new Event("changed"));
  }

  stop() {
    if (!this.isOn) return;
    navigator.geolocation.clearWatch(this.#watch);
    this.#watch = undefined;
    this.dispatchEvent(new Event("changed"));
  }

  async add(point) {
    this.#waiting.push(point);
    this.#waiting.splice(0, this.#waiting.length - MAX_POINTS);
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const points = [...this.#waiting];
        await tandem.call(METHOD, { points });
        this.#waiting = this.#waiting.filter((point) => !points.includes(point));
      }
    } catch (error) {
      // They go with the next one.
      if (!error.code) throw error;
    } finally {
      this.#isSending = false;
    }
  }
}

export const sharing = new Sharing();
