/**
 * The methods of the suite from a browser: unary calls, streams, WebSockets, sessions. It needs no other file.
 *
 * A page of the gateway's own host has a session by a cookie that no script sees: `new Tandem()`. A page of another origin and an
 * app have tokens: `new Tandem({ url })`, and then `logIn`. Requests and answers are the contract's messages in JSON.
 */

/** Milliseconds that a call may take whose caller sets no limit. */
const DEFAULT_TIMEOUT = 15_000;
/** Milliseconds of the first and the longest wait between attempts. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** Attempts of a call whose outcome is not known. */
const ATTEMPTS = 3;
/** Milliseconds that an access token has to be good for when a WebSocket begins. */
const TOKEN_MARGIN = 30_000;

const ACCOUNTS = "tandem.identity.v1.Accounts";
const PASSKEYS = "tandem.identity.v1.Passkeys";
const PROVIDERS = "tandem.identity.v1.FederatedLogins";

/** Why a call did not succeed. `code` says what to do, `reason` why; `message` is a sentence for people. */
export class CallError extends Error {
  constructor({ code = "unknown", message, details = [] } = {}, options) {
    super(message || code, options);
    this.name = "CallError";
    this.code = code;
    const detail = (type) => details.find((one) => one.type === `google.rpc.${type}`)?.debug;
    /** As the method's documentation lists it. */
    this.reason = detail("ErrorInfo")?.reason ?? "";
    this.metadata = detail("ErrorInfo")?.metadata ?? {};
    /** The invalid fields: `{ field, description }`, the field as a path such as `book.title`. */
    this.fields = detail("BadRequest")?.fieldViolations ?? [];
    const delay = detail("RetryInfo")?.retryDelay;
    /** Milliseconds after which to try again; undefined where the server does not say. */
    this.retryAfter = delay === undefined ? undefined : Number.parseFloat(delay) * 1_000;
  }

  /** Whether the network or the server failed, so that the same call may succeed later. */
  get isTransient() {
    return ["unavailable", "deadline_exceeded"].includes(this.code) || this.retryAfter < 2_000;
  }

  /** Whether the session has ended, or there is none. */
  get isLoggedOut() {
    return this.code === "unauthenticated";
  }
}

/**
 * Waits; ends early where the signal says so.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
export function pause(milliseconds, signal) {
  return new Promise((resume, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resume();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Events: `lost` when the server cannot be reached, `found` when it can again, `ended` when the session is over, `begun` after a login.
 */
export class Tandem extends EventTarget {
  #url;
  #tokens;
  #usesTokens;
  #expiry = 0;
  #refreshing;
  #isLost = false;
  #isEnded = false;

  /**
   * @param {object} [options]
   * @param {string} [options.url] of the gateway, for pages of other origins and for apps; they have tokens in place of a cookie.
   * @param {object} [options.tokens] an answer of a login, to go on with.
   */
  constructor({ url, tokens } = {}) {
    super();
    this.#url = url ?? "";
    this.#usesTokens = url !== undefined;
    this.#tokens = tokens;
  }

  /** Whether the last attempt did not reach the server. */
  get isLost() {
    return this.#isLost;
  }

  // Sessions

  /** @returns {Promise<object>} the `LoginResponse`; without tokens where a cookie has them. */
  async logIn(emailOrUsername, password, deviceLabel) {
    return this.#begin("login", `${ACCOUNTS}/Login`, { emailOrUsername, password, deviceLabel });
  }

  /** @param {object} proof a `LoginWithPasskeyRequest`; see `logInWithPasskey` of `passkeys.js`. */
  async logInByPasskey(proof) {
    return this.#begin("login/passkey", `${PASSKEYS}/LoginWithPasskey`, proof);
  }

  /** @param {object} proof a `CompleteFederatedLoginRequest`. */
  async logInByProvider(proof) {
    return this.#begin("login/provider", `${PROVIDERS}/CompleteFederatedLogin`, proof);
  }

  /**
   * Makes an account with the identity of a provider.
   *
   * @param {object} proof a `RegisterWithIdentityRequest`
   * @returns {Promise<object>} the `RegisterWithIdentityResponse`; with a `login` the session has begun.
   */
  async registerByProvider(proof) {
    const whole = { requestId: crypto.randomUUID(), ...proof };
    const method = this.#usesTokens ? `${PROVIDERS}/RegisterWithIdentity` : "session/register/provider";
    const answer = await this.#again(() => this.#send(method, whole));
    if (answer.login) this.#begun(answer.login);
    return answer;
  }

  async logOut() {
    if (this.#usesTokens) await this.#send(`${ACCOUNTS}/Logout`, {});
    else await this.#send("session/logout", {});
    this.#tokens = undefined;
    this.#expiry = 0;
  }

  /** A new access token. Calls that need one at once share it, and so do tabs: the server gives the same pair to the same token. */
  refresh() {
    this.#refreshing ??= this.#renew().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #renew() {
    // An answer to the old session would take the cookie of a new one away.
    if (this.#isEnded) throw new CallError({ code: "unauthenticated", message: "The session has ended" });
    if (!this.#usesTokens) return this.#noteExpiry(await this.#again(() => this.#send("session/refresh", {})));
    // The same id gives the same tokens again: a lost answer does not end the session.
    const request = { refreshToken: this.#tokens?.refreshToken ?? "", requestId: crypto.randomUUID() };
    this.#tokens = await this.#again(() => this.#send(`${ACCOUNTS}/Refresh`, request));
    return this.#noteExpiry(this.#tokens);
  }

  async #begin(page, method, request) {
    const whole = { requestId: crypto.randomUUID(), ...request };
    return this.#begun(await this.#again(() => this.#send(this.#usesTokens ? method : `session/${page}`, whole)));
  }

  #begun(answer) {
    if (this.#usesTokens) this.#tokens = answer;
    this.#isEnded = false;
    this.#noteExpiry(answer);
    this.dispatchEvent(new Event("begun"));
    return answer;
  }

  #noteExpiry(answer) {
    this.#expiry = Date.parse(answer.accessTokenExpireTime);
    return answer;
  }

  // Calls

  /**
   * A call that changes nothing, or may be made twice.
   *
   * @param {string} method such as `tandem.catalog.v1.Books/GetBook`
   * @param {object} [request] the message in JSON
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] ends it early
   * @param {number} [options.timeout] milliseconds that it may take in all
   * @returns {Promise<object>} the answer in JSON
   */
  async call(method, request = {}, { signal, timeout = DEFAULT_TIMEOUT } = {}) {
    return this.#renewing(() => this.#again(() => this.#send(method, request, { signal, timeout }), signal));
  }

  /** A call that changes something: it has one `requestId`, so that it happens once however often it has to be sent. */
  async act(method, request = {}, options = {}) {
    return this.call(method, { requestId: crypto.randomUUID(), ...request }, options);
  }

  /** One attempt, and everything that is known of it: `{ status, headers, body, error }`. For tools that show calls. */
  async attempt(method, body, { headers = {}, signal, timeout = DEFAULT_TIMEOUT } = {}) {
    const answer = await this.#fetch(method, "application/json", body, { headers, signal, timeout });
    return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
  }

  /** Again with a new token where the old one has expired; says so where the session is over. */
  async #renewing(act) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof CallError) || !error.isLoggedOut) throw error;
      if (this.#usesTokens && this.#tokens) {
        await this.refresh();
        return act();
      }
      // The gateway has tried to refresh already.
      if (error.reason !== "CREDENTIALS_INCORRECT") this.#over();
      throw error;
    }
  }

  async #again(act, signal) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await act();
      } catch (error) {
        const isOver = attempt === ATTEMPTS || signal?.aborted || !(error instanceof CallError) || !error.isTransient;
        if (isOver || error.code === "deadline_exceeded") throw error;
        await pause(error.retryAfter ?? this.#wait(attempt), signal);
      }
    }
  }

  /** Longer each time, and never the same for many clients at once. */
  #wait(attempt) {
    return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
  }

  async #send(method, request, options) {
    const answer = await this.#fetch(method, "application/json", JSON.stringify(request), options);
    const text = await answer.text();
    let json;
    try {
      json = JSON.parse(text || "{}");
    } catch (cause) {
      throw new CallError({ code: "unavailable", message: "The answer is no JSON" }, { cause });
    }
    if (!answer.ok) throw new CallError(json);
    return json;
  }

  async #fetch(method, type, body, { headers = {}, signal, timeout } = {}) {
    const sent = { "content-type": type, "connect-protocol-version": "1", ...headers };
    if (timeout) sent["connect-timeout-ms"] = String(Math.ceil(timeout));
    if (this.#tokens?.accessToken && !sent.authorization) sent.authorization = `Bearer ${this.#tokens.accessToken}`;
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const timer = timeout && setTimeout(() => limit.abort(new CallError({ code: "deadline_exceeded" })), timeout);
    try {
      const answer = await fetch(`${this.#url}/${method}`, { method: "POST", headers: sent, body, signal: limit.signal });
      this.#reached(true);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof CallError) throw error;
      this.#reached(false);
      throw new CallError({ code: "unavailable", message: "The server cannot be reached" }, { cause: error });
    } finally {
      clearTimeout(timer);
      // A stream is read after this, and is ended by the same signal.
      if (timeout) signal?.removeEventListener("abort", stop);
    }
  }

  #reached(isReached) {
    if (this.#isLost !== isReached) return;
    this.#isLost = !isReached;
    this.dispatchEvent(new Event(isReached ? "found" : "lost"));
  }

  /** Whether the server answers now. */
  async isThere() {
    try {
      await this.#send("grpc.health.v1.Health/Check", {}, { timeout: 5_000 });
      return true;
    } catch (error) {
      return error instanceof CallError && !error.isTransient;
    }
  }

  // Streams

  /**
   * The messages of a stream of the server. It ends with an error where it is lost: see `follow`.
   *
   * @returns {AsyncGenerator<object>}
   */
  async *stream(method, request = {}, { signal, headers } = {}) {
    const json = new TextEncoder().encode(JSON.stringify(request));
    const body = new Uint8Array(5 + json.length);
    new DataView(body.buffer).setUint32(1, json.length);
    body.set(json, 5);
    const answer = await this.#fetch(method, "application/connect+json", body, { signal, headers });
    if (!answer.ok) throw new CallError(JSON.parse(await answer.text()));
    const reader = answer.body.getReader();
    let rest = new Uint8Array();
    try {
      for (;;) {
        const { value, done } = await this.#read(reader, signal);
        if (done) throw new CallError({ code: "unavailable", message: "The stream was lost" });
        const joined = new Uint8Array(rest.length + value.length);
        joined.set(rest);
        joined.set(value, rest.length);
        rest = joined;
        while (rest.length >= 5) {
          const length = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
          if (rest.length < 5 + length) break;
          const message = JSON.parse(new TextDecoder().decode(rest.subarray(5, 5 + length)));
          const isLast = (rest[0] & 2) !== 0;
          rest = rest.slice(5 + length);
          if (!isLast) yield message;
          else if (message.error) throw new CallError(message.error);
          else return;
        }
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  async #read(reader, signal) {
    try {
      return await reader.read();
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new CallError({ code: "unavailable", message: "The stream was lost" }, { cause });
    }
  }

  /**
   * A stream that begins again where it was lost, until the signal ends it.
   *
   * @param {string} method
   * @param {() => object} request what to ask for now, with the position that was reached
   * @param {(message: object) => void} receive
   * @param {object} [options] `signal`, and `state`, which is told "live" and "waiting"
   */
  async follow(method, request, receive, { signal, state = () => {} } = {}) {
    await this.#resuming(signal, state, async (began) => {
      for await (const message of this.stream(method, request(), { signal })) {
        began();
        receive(message);
      }
    });
  }

  /** Every notification after a position, each once, over lost connections and expired tokens. Without a position only new ones. */
  async *notifications(position, { signal } = {}) {
    const stop = new AbortController();
    const end = () => stop.abort(signal.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
    const queue = [];
    let [wake, isOver, failure] = [() => {}, false, undefined];
    const request = () => (position === undefined ? {} : { after: position });
    const receive = (message) => {
      position = message.position ?? position ?? "0";
      if (message.notification) queue.push(message.notification);
      wake();
    };
    this.follow("tandem.notification.v1.Notifications/StreamNotifications", request, receive, { signal: stop.signal })
      .catch((error) => (failure = error))
      .finally(() => {
        isOver = true;
        wake();
      });
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift();
        if (failure) throw failure;
        if (isOver) return;
        await new Promise((resume) => (wake = resume));
      }
    } finally {
      signal?.removeEventListener("abort", end);
      stop.abort(new DOMException("The stream was left", "AbortError"));
    }
  }

  // WebSockets

  /** A stream in both directions: `send`, `end`, `close`, and the messages by `for await`. */
  async connect(method, { signal } = {}) {
    if (!this.#usesTokens && Date.now() > this.#expiry - TOKEN_MARGIN) await this.refresh();
    const base = this.#url || location.origin;
    const metadata = this.#tokens ? { authorization: `Bearer ${this.#tokens.accessToken}` } : {};
    return new Socket(`${base.replace(/^http/, "ws")}/ws/${method}`, metadata, signal);
  }

  /**
   * A stream in both directions that is connected again where it was lost, until the signal ends it.
   *
   * @param {string} method
   * @param {(socket: Socket) => void} begin sends what the connection begins with
   * @param {(message: object, socket: Socket) => void} receive
   * @param {object} [options] `signal`, and `state`, which is told "live" and "waiting"
   */
  async live(method, begin, receive, { signal, state = () => {} } = {}) {
    await this.#resuming(signal, state, async (began) => {
      const socket = await this.connect(method, { signal });
      try {
        await socket.opened;
        began();
        this.#reached(true);
        begin(socket);
        for await (const message of socket) receive(message, socket);
      } finally {
        socket.close();
      }
    });
  }

  async #resuming(signal, state, run) {
    for (let attempt = 0; !signal?.aborted; ) {
      try {
        await run(() => {
          attempt = 0;
          state("live");
        });
        return;
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof CallError)) throw error;
        state("waiting");
        await this.#mend(error, attempt, signal);
        attempt += 1;
      }
    }
  }

  /** What there is to do before the next attempt; throws where there is none. */
  async #mend(error, attempt, signal) {
    try {
      if (error.isLoggedOut) {
        if (attempt > 0) await pause(this.#wait(attempt), signal);
        await this.refresh();
      } else if (error.isTransient || error.code === "resource_exhausted" || error.reason === "CLIENT_SILENT") {
        await this.#untilWorthTrying(error.retryAfter ?? this.#wait(attempt), signal);
      } else {
        throw error;
      }
    } catch (failure) {
      if (signal?.aborted) return;
      if (failure instanceof CallError && failure.isLoggedOut) {
        this.#over();
        await this.#untilWorthTrying(undefined, signal);
      } else if (!(failure instanceof CallError) || !failure.isTransient) {
        throw failure;
      } else {
        await this.#untilWorthTrying(this.#wait(attempt), signal);
      }
    }
  }

  #over() {
    this.#isEnded = true;
    this.dispatchEvent(new Event("ended"));
  }

  /** Waits, but not longer than until the server is found again or someone has logged in; without a time for the login alone. */
  #untilWorthTrying(milliseconds, signal) {
    const names = milliseconds === undefined ? ["begun"] : ["found", "begun"];
    return new Promise((resume) => {
      const go = () => {
        clearTimeout(timer);
        for (const name of names) this.removeEventListener(name, go);
        signal?.removeEventListener("abort", go);
        resume();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(go, milliseconds);
      for (const name of names) this.addEventListener(name, go);
      signal?.addEventListener("abort", go);
    });
  }

  // Files

  /**
   * Sends a file, and says how far it is.
   *
   * @param {string} verb `PUT` or `POST`
   * @param {string} path such as `/pictures/profile`
   * @param {Blob} file
   * @param {object} [options] `progress`, which is told 0 to 1, and `signal`
   * @returns {Promise<string|null>} the address at which it can be read, where it got one
   */
  upload(verb, path, file, { progress = () => {}, signal } = {}) {
    return new Promise((resume, reject) => {
      const request = new XMLHttpRequest();
      request.open(verb, this.#url + path);
      request.setRequestHeader("connect-protocol-version", "1");
      request.setRequestHeader("content-type", file.type || "application/octet-stream");
      if (this.#tokens) request.setRequestHeader("authorization", `Bearer ${this.#tokens.accessToken}`);
      request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
      request.onerror = () => reject(new CallError({ code: "unavailable", message: "The server cannot be reached" }));
      request.onabort = () => reject(signal.reason);
      request.onload = () => {
        let json = {};
        try {
          json = JSON.parse(request.responseText || "{}");
        } catch {
          json = { code: "unknown", message: request.statusText };
        }
        if (request.status < 300) resume(request.getResponseHeader("location"));
        else reject(new CallError(json));
      };
      signal?.addEventListener("abort", () => request.abort(), { once: true });
      request.send(file);
    });
  }
}

/** A WebSocket of the gateway. Messages are read one after the other by `for await`, which throws a `CallError` at a bad end. */
export class Socket {
  #socket;
  #queue = [];
  #wake = () => {};
  #end;

  constructor(url, metadata, signal) {
    this.#socket = new WebSocket(url);
    this.#socket.binaryType = "arraybuffer";
    /** Settled when messages can be sent. */
    this.opened = new Promise((resume, reject) => {
      this.#socket.onopen = () => {
        this.#socket.send(JSON.stringify(metadata));
        resume();
      };
      this.#socket.onclose = () => {
        this.#finish(new CallError({ code: "unavailable", message: "The connection was lost" }));
        reject(this.#end);
      };
    });
    this.opened.catch(() => {});
    this.#socket.onmessage = ({ data }) => this.#receive(data);
    signal?.addEventListener("abort", () => this.close(), { once: true });
  }

  #receive(data) {
    if (typeof data === "string") {
      this.#queue.push(JSON.parse(data));
      return this.#wake();
    }
    const { error } = JSON.parse(new TextDecoder().decode(data));
    this.#finish(error ? new CallError(error) : null);
  }

  #finish(end) {
    if (this.#end === undefined) this.#end = end;
    this.#wake();
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN && this.#end === undefined;
  }

  /** Whether the message was taken: one that was not has to be sent again by the next connection. */
  send(message) {
    if (!this.isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Says that nothing more is sent; the server's messages go on. */
  end() {
    if (this.isOpen) this.#socket.send("");
  }

  close() {
    this.#finish(null);
    this.#socket.close();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#queue.length > 0) yield this.#queue.shift();
      if (this.#end) throw this.#end;
      if (this.#end === null) return;
      await new Promise((resume) => (this.#wake = resume));
    }
  }
}
