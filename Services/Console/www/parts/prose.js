import { h } from "../dom.js";

/** A line of a comment: what stands in backticks is code. */
function line(text) {
  const pieces = text.split("`");
  return pieces.length % 2 === 1 ? pieces.map((piece, at) => (at % 2 ? h("code", {}, piece) : piece)) : [text];
}

/** A comment of the contract as paragraphs and lists. */
export function prose(text) {
  const blocks = (text ?? "").split(/\n\s*\n/).filter(Boolean);
  return h("div", { class: "prose" }, blocks.map((block) => {
    if (!/^- /m.test(block)) return h("p", {}, line(block.replaceAll("\n", " ")));
    const [first, ...items] = block.split(/^- /m);
    return [first.trim() && h("p", {}, line(first.replaceAll("\n", " "))), h("ul", {}, items.map((item) => h("li", {}, line(item.replace(/\n\s*/g, " ")))))];
  }));
}
