/** A form of a message of the contract, made of its schema. Messages inside are opened where they are needed. */

import { fill, h } from "../dom.js";
import { words } from "../words.js";

let count = 0;

/** An input of a schema: its element, and `read`, undefined where nothing is said. */
function input(schema, document, value, name) {
  const resolved = schema.$ref ? { ...document.components.schemas[schema.$ref.split("/").at(-1)], description: schema.description } : schema;
  if (resolved.enum) return choice(resolved.enum, value, name);
  if (resolved.type === "array") return array(resolved.items, document, value, name);
  if (resolved.additionalProperties) return text("textarea", value === undefined ? "" : JSON.stringify(value), JSON.parse, name);
  if (resolved.type === "object" || resolved.properties) return object(resolved, document, value, name);
  if (resolved.type === "boolean") return choice(["true", "false"], value === undefined ? undefined : String(value), name, (one) => one === "true");
  const isNumber = resolved.type === "integer" || resolved.type === "number" || Array.isArray(resolved.type) && resolved.type.includes("number");
  return text("input", value ?? "", isNumber ? (one) => (Number.isNaN(Number(one)) ? one : Number(one)) : String, name);
}

function text(tag, value, parse, name) {
  const element = h(tag, { value: String(value), "aria-label": name, spellcheck: false, autocomplete: "off", dir: "auto" });
  return { element, read: () => (element.value === "" ? undefined : parse(element.value)) };
}

function choice(values, value, name, parse = String) {
  const element = h("select", { "aria-label": name }, h("option", { value: "" }, ""), values.map((one) => h("option", { value: one, selected: one === value }, one)));
  return { element, read: () => (element.value === "" ? undefined : parse(element.value)) };
}

function array(items, document, value, name) {
  const rows = h("div", {});
  const inputs = [];
  const add = (one) => {
    const made = input(items, document, one, `${name} ${inputs.length + 1}`);
    inputs.push(made);
    rows.append(h("div", { class: "field" }, made.element));
  };
  for (const one of value ?? []) add(one);
  const button = h("button", { type: "button", "aria-label": `${words.api.add}: ${name}`, on: { click: () => add() } }, words.api.add);
  return { element: h("div", {}, rows, button), read: () => {
    const read = inputs.map((one) => one.read()).filter((one) => one !== undefined);
    return read.length > 0 ? read : undefined;
  } };
}

function object(schema, document, value, name) {
  const place = h("div", {});
  let inside;
  const open = () => {
    inside = fields(schema, document, value ?? {});
    const close = h("button", { type: "button", "aria-label": `${words.remove}: ${name}`, on: { click: () => { inside = undefined; value = undefined; showClosed(); } } }, words.remove);
    fill(place, h("fieldset", {}, h("legend", {}, name), inside.element, close));
  };
  const showClosed = () => fill(place, h("button", { type: "button", "aria-label": `${words.api.add}: ${name}`, on: { click: open } }, words.api.add));
  if (value === undefined) showClosed();
  else open();
  return { element: place, read: () => inside?.read() };
}

/**
 * The fields of a message.
 *
 * @param {object} schema of the message
 * @param {object} document the OpenAPI document
 * @param {object} value what the fields begin with
 */
export function fields(schema, document, value = {}) {
  const inputs = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, one, input(one, document, value[name], name)]);
  const element = h("div", { class: "message-form" }, inputs.map(([name, one, { element }]) => {
    const isInput = element.matches("input, select, textarea");
    if (isInput) element.id = `message-${(count += 1)}`;
    return h("div", { class: "field" }, h(isInput ? "label" : "span", { class: "field-name", htmlFor: element.id }, name), element, h("p", { class: "help" }, one.description ?? ""));
  }));
  const read = () => Object.fromEntries(inputs.map(([name, , { read }]) => [name, read()]).filter(([, one]) => one !== undefined));
  return { element, read };
}
