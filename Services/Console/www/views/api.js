import { CallError } from "../api.js";
import { fill, h, link } from "../dom.js";
import { fields } from "../parts/message-form.js";
import { tell } from "../parts/notice.js";
import { prose } from "../parts/prose.js";
import { go } from "../router.js";
import { session, tandem } from "../session.js";
import { figures, words } from "../words.js";

const [HISTORY, HEADERS] = ["tandem.explorer.history", "tandem.explorer.headers"];
const MAX_HISTORY = 50;
/** Characters of an answer that the history keeps. */
const MAX_KEPT = 20_000;

let document_;

const load = async () => (document_ ??= await (await fetch("/openapi.json")).json());

export const title = ({ parts }) => parts[2] ?? words.api.title;

export default async function api({ parts, query, signal }) {
  const document = await load();
  const [, service, method] = parts;
  const path = `/${service}/${method}`;
  const operation = document.paths[path]?.post;
  const side = h("nav", { class: "card methods", "aria-label": words.api.title });
  fill(side, methods(document, service, method));
  return h("div", {}, h("h1", { tabIndex: -1 }, operation ? method : words.api.title),
    h("div", { class: "explorer" }, side, operation ? new Explorer(document, path.slice(1), operation, query, signal).element : h("section", { class: "card" }, h("p", {}, words.api.choose), history(() => {}))));
}

const short = (service) => service.replace(/^tandem\.|^grpc\./, "").replace(/\.v\d+\./, " · ");

function methods(document, chosenService, chosenMethod) {
  const byService = Map.groupBy ? Map.groupBy(Object.keys(document.paths), (path) => path.split("/")[1]) : grouped(Object.keys(document.paths));
  const tree = [...byService].map(([service, paths]) => h("details", { open: service === chosenService }, h("summary", {}, short(service)),
    h("ul", {}, paths.map((path) => {
      const name = path.split("/")[2];
      return h("li", {}, link(`api${path}`, { "aria-current": service === chosenService && name === chosenMethod ? "page" : undefined }, name));
    }))));
  const input = h("input", { type: "search", "aria-label": words.api.search, placeholder: words.api.search });
  input.addEventListener("input", () => {
    const text = input.value.toLowerCase();
    for (const details of tree) {
      const items = [...details.querySelectorAll("li")];
      for (const item of items) item.hidden = text !== "" && !`${details.firstChild.textContent} ${item.textContent}`.toLowerCase().includes(text);
      details.hidden = items.every((item) => item.hidden);
      details.open = text !== "" || details.firstChild.textContent === short(chosenService ?? "");
    }
  });
  return [input, tree];
}

function grouped(paths) {
  const found = new Map();
  for (const path of paths) found.set(path.split("/")[1], [...(found.get(path.split("/")[1]) ?? []), path]);
  return found;
}

const kept = () => JSON.parse(sessionStorage.getItem(HISTORY) ?? "[]");

function history(show) {
  const entries = kept();
  const place = h("section", {});
  const clear = h("button", { type: "button", on: { click: () => { sessionStorage.removeItem(HISTORY); place.replaceWith(history(show)); } } }, words.api.clear);
  return fill(place, h("div", { class: "head" }, h("h2", {}, words.api.history), entries.length > 0 && clear), entries.length === 0 && h("p", { class: "dim" }, words.api.noHistory),
    h("ul", { class: "list" }, entries.map((entry) => h("li", {}, h("button", { type: "button", class: "item entry", on: { click: () => { go(`api/${entry.method}?entry=${entry.id}`); show(entry); } } },
      h("span", {}, figures.time(entry.time)), h("span", { class: `tag ${entry.isGood ? "good" : "bad"}` }, entry.status), h("span", { class: "said" }, entry.method.split("/")[1]), h("span", { class: "dim" }, words.api.took(entry.took)))))));
}

/** Says by what a header's line is wrong; a browser sets some itself. */
function parseHeaders(text) {
  return Object.fromEntries(text.split("\n").map((line) => line.split(/:(.*)/s)).filter(([name, value]) => name.trim() && value !== undefined).map(([name, value]) => [name.trim().toLowerCase(), value.trim()]));
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** One method: what it says of itself, its request, its answer, its history. */
class Explorer {
  constructor(document, method, operation, query, signal) {
    Object.assign(this, { document, method, operation, signal });
    const [[type, { schema }]] = Object.entries(operation.requestBody.content);
    this.isStream = type !== "application/json";
    this.schema = document.components.schemas[schema.$ref?.split("/").at(-1)] ?? {};
    const entry = kept().find((entry) => entry.id === query.get("entry"));
    this.text = h("textarea", { class: "code", "aria-label": words.api.json, spellcheck: false, rows: 9 });
    this.text.value = entry?.request ?? query.get("request") ?? "{}";
    this.editor = h("div", {});
    this.headers = h("textarea", { class: "code", rows: 2, spellcheck: false, "aria-label": words.api.headers, placeholder: "authorization: Bearer …" });
    this.headers.style.minHeight = "4rem";
    this.headers.value = localStorage.getItem(HEADERS) ?? "";
    this.headers.addEventListener("change", () => localStorage.setItem(HEADERS, this.headers.value));
    this.timeout = h("input", { type: "number", min: 1, max: 3_600, value: this.isStream ? "" : 30, "aria-label": words.api.timeout });
    this.answer = h("section", { "aria-live": "polite" });
    this.past = h("div", {}, history((entry) => this.#show(entry)));
    this.element = h("div", {}, this.#about(), this.#request(), this.answer, h("section", { class: "card" }, this.past));
    this.#mode(entry || query.get("request") ? "json" : "form");
    if (entry) this.#show(entry);
  }

  #about() {
    const refusals = this.operation["x-refusals"] ?? [];
    const tags = [this.isStream && h("span", { class: "tag main" }, words.api.stream), (this.operation.security ?? []).length > 0 && h("span", { class: "tag warn" }, words.api.needsLogin)];
    return h("section", { class: "card" }, h("p", {}, h("code", { class: "said" }, this.method), " ", tags), prose(this.operation.description),
      refusals.length > 0 && h("details", {}, h("summary", {}, words.api.refusals), h("ul", {}, refusals.map((one) => h("li", {}, h("code", {}, `${one.code} ${one.reason}`))))));
  }

  #request() {
    const switcher = h("div", { class: "tabs", role: "group", "aria-label": words.api.request }, ["form", "json"].map((mode) => h("button", { type: "button", class: "plain", data: { mode }, on: { click: () => this.#mode(mode) } }, words.api[mode])));
    this.switcher = switcher;
    this.call = h("button", { type: "button", class: "main", on: { click: () => (this.isStream ? this.#stream() : this.#unary()) } }, this.isStream ? words.api.open : words.api.call);
    this.more = h("span", { class: "actions" });
    const copies = ["curl", "grpcurl", "tandem"].filter((kind) => kind !== "curl" || !this.isStream).map((kind) => h("button", { type: "button", data: { copy: kind }, on: { click: () => this.#copy(kind) } }, words.api[kind]));
    return h("section", { class: "card" }, h("h2", {}, words.api.request), switcher, this.editor,
      h("details", { open: this.headers.value !== "" }, h("summary", {}, words.api.headers), h("p", { class: "help" }, words.api.headersHelp), this.headers, h("label", { class: "field" }, words.api.timeout, this.timeout)),
      h("div", { class: "actions" }, this.call, this.more), h("div", { class: "actions" }, h("span", { class: "dim" }, words.api.copyAs), copies));
  }

  #mode(mode) {
    if (mode === "form") {
      const value = this.#parsed();
      if (value === undefined) return;
      this.form = fields(this.schema, this.document, value);
      fill(this.editor, this.form.element);
    } else {
      if (this.form) this.text.value = JSON.stringify(this.form.read(), null, 2);
      this.form = undefined;
      fill(this.editor, this.text);
    }
    for (const button of this.switcher.children) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }

  #parsed() {
    try {
      return this.form ? this.form.read() : JSON.parse(this.text.value || "{}");
    } catch (error) {
      tell(words.api.invalid(error.message), "bad");
      return undefined;
    }
  }

  // One answer

  async #unary() {
    const value = this.#parsed();
    if (value === undefined) return;
    const request = JSON.stringify(value, null, 2);
    const began = performance.now();
    this.call.disabled = true;
    try {
      const { status, headers, body } = await tandem.attempt(this.method, request, { headers: parseHeaders(this.headers.value), signal: this.signal, timeout: Number(this.timeout.value || 30) * 1_000 });
      this.#record({ request, status: String(status), isGood: status < 300, headers, body: pretty(body), took: Math.round(performance.now() - began) });
    } catch (error) {
      if (this.signal.aborted) return;
      this.#record({ request, status: error.code ?? "error", isGood: false, headers: [], body: error.message, took: Math.round(performance.now() - began) });
    } finally {
      this.call.disabled = false;
    }
  }

  #record(entry) {
    const whole = { id: crypto.randomUUID(), method: this.method, time: new Date().toISOString(), sent: parseHeaders(this.headers.value), ...entry };
    const entries = [{ ...whole, sent: hidden(whole.sent), body: whole.body.slice(0, MAX_KEPT) }, ...kept()].slice(0, MAX_HISTORY);
    try {
      sessionStorage.setItem(HISTORY, JSON.stringify(entries));
    } catch {
      sessionStorage.setItem(HISTORY, JSON.stringify(entries.slice(0, 5)));
    }
    fill(this.past, history((entry) => this.#show(entry)));
    this.#show(whole);
  }

  #show(entry) {
    if (entry.method !== this.method) return;
    fill(this.answer, h("section", { class: "card" }, h("h2", {}, words.api.answer), h("p", {}, h("span", { class: `tag ${entry.isGood ? "good" : "bad"}` }, `${words.api.status} ${entry.status}`), " ", h("span", { class: "dim" }, words.api.took(entry.took))),
      h("pre", { class: "answer", tabIndex: 0 }, entry.body),
      h("details", {}, h("summary", {}, words.api.metadata), h("table", {}, h("tbody", {}, entry.headers.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "said" }, value))))))));
  }

  // Streams

  async #stream() {
    const value = this.#parsed();
    if (value === undefined) return;
    const request = JSON.stringify(value, null, 2);
    const stop = new AbortController();
    this.signal.addEventListener("abort", () => stop.abort(this.signal.reason));
    const began = performance.now();
    const lines = h("pre", { class: "answer", tabIndex: 0 });
    const state = h("span", { class: "live-state waiting" }, words.connecting);
    fill(this.answer, h("section", { class: "card" }, h("h2", {}, words.api.messages), state, lines));
    this.call.disabled = true;
    let [end, headers] = ["ok", []];
    try {
      const socket = await tandem.connect(this.method, { signal: stop.signal });
      await socket.opened;
      [state.textContent, state.className] = [words.live, "live-state live"];
      socket.send(value);
      const sendMore = () => {
        const more = this.#parsed();
        if (more !== undefined) socket.send(more);
      };
      fill(this.more, h("button", { type: "button", on: { click: sendMore } }, words.api.send), h("button", { type: "button", on: { click: () => socket.end() } }, words.api.end), h("button", { type: "button", on: { click: () => stop.abort() } }, words.api.stop));
      for await (const message of socket) {
        lines.append(`${JSON.stringify(message, null, 2)}\n`);
        lines.scrollTop = lines.scrollHeight;
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      end = error.code;
      lines.append(`${error.code} ${error.reason}\n${error.message}\n`);
    } finally {
      this.call.disabled = false;
      fill(this.more);
      if (!this.signal.aborted) this.#record({ request, status: end, isGood: end === "ok", headers, body: lines.textContent, took: Math.round(performance.now() - began) });
    }
  }

  // Copies

  async #copy(kind) {
    const value = this.#parsed();
    if (value === undefined) return;
    const json = quoted(JSON.stringify(value));
    const headers = parseHeaders(this.headers.value);
    const needsToken = (this.operation.security ?? []).length > 0 && !headers.authorization;
    const given = Object.entries(headers).map(([name, text]) => `-H ${quoted(`${name}: ${text}`)}`);
    const token = needsToken ? ['-H "authorization: Bearer $TOKEN"'] : [];
    const commands = {
      curl: ['curl --cacert "$CA"', "-H 'content-type: application/json'", ...token, ...given, `-d ${json}`, `${location.origin}/${this.method}`],
      grpcurl: ['grpcurl -cacert "$CA"', ...token, ...given, `-d ${json}`, location.host, this.method],
      tandem: ["tandem rpc call", this.method, ...(needsToken ? ['--token "$TOKEN"'] : []), ...given, `-d ${json}`],
    };
    const command = commands[kind].join(" ");
    this.copied = command;
    try {
      await navigator.clipboard.writeText(command);
      tell(words.copied);
    } catch {
      // Browsers allow it to pages in front only.
    }
    fill(this.answer, h("section", { class: "card" }, h("h2", {}, words.api[kind]), h("pre", { class: "command", tabIndex: 0 }, command)));
  }
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Tokens are not kept in the history. */
function hidden(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, name === "authorization" ? "…" : value]));
}
