/** Which view is shown is the address: views can be linked to, kept, and gone back to. */

const ROOT = "/console/";

/** The parts of the path behind the root, and the parameters. */
export function here() {
  const path = location.pathname.startsWith(ROOT) ? location.pathname.slice(ROOT.length) : "";
  return { parts: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(location.search), path };
}

/** Shows another view. */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", ROOT + path);
  dispatchEvent(new Event("tandem:view"));
}

/** Changes parameters of the address; the view stays. An empty value takes one away. */
export function keep(parameters, { replace = true } = {}) {
  const { query } = here();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history[replace ? "replaceState" : "pushState"](null, "", location.pathname + (text ? `?${text}` : "") + location.hash);
}

/** Calls `show` at the beginning, and whenever the address becomes another. */
export function route(show) {
  addEventListener("popstate", show);
  addEventListener("tandem:view", show);
  document.addEventListener("click", (event) => {
    const anchor = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!anchor || !isPlain || event.defaultPrevented || anchor.target || anchor.hasAttribute("download")) return;
    if (anchor.origin !== location.origin || !anchor.pathname.startsWith(ROOT) || anchor.pathname.startsWith(`${ROOT}files/`)) return;
    if (anchor.hash && anchor.pathname === location.pathname && anchor.search === location.search) return;
    event.preventDefault();
    history.pushState(null, "", anchor.href);
    dispatchEvent(new Event("tandem:view"));
  });
  show();
}
