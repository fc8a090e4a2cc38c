import type { Json } from "../../../ir.js";
import type { Checked } from "../checked.js";

const ADDRESS = 'an address whose host is written out, such as "https://api.example.com/orders/{id}"';

/** Rules of the agent `http`. */
const rules: { readonly [setting: string]: (checked: Checked) => void } = {
  url: ({ node, spot: { value }, bad }) => {
    if (typeof value !== "string" || isAddress(value)) return;
    if (!/^\/(?!\/)/.test(value)) bad(ADDRESS);
    else if (node.settings["connection"] === undefined)
      bad(`${ADDRESS}, or beside "connection", whose host a path belongs to`);
  },
  next: ({ node, bad }) => {
    const method = node.settings["method"] ?? "GET";
    if (method !== "GET" && method !== "HEAD")
      bad(`left out where the method is ${String(method)}: each page would be written once more`);
  },
  expect: ({ spot: { value }, bad }) => {
    if (Array.isArray(value) && !(value.length > 0 && value.every(isStatus)))
      bad("a list of statuses, such as [200, 404]", { found: "one that holds something else" });
  },
  max_bytes: ({ spot: { value }, bad }) => {
    if (typeof value === "number" && value <= 0) bad("more than 0");
  },
  body: ({ node, spot: { value }, bad }) => {
    const method = node.settings["method"] ?? "GET";
    if (value !== "none" && (method === "GET" || method === "HEAD"))
      bad(`left out where the method is ${String(method)}`);
  },
};

export function checkHttp(checked: Checked): void {
  const { name } = checked.item;
  if (Object.hasOwn(rules, name)) rules[name]?.(checked);
}

/** The host must not come from a value: whoever gives it would choose who is called. */
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/?#{}@]+(?:[/?#]|$)/i.test(text);

const isStatus = (value: Json): boolean =>
  Number.isInteger(value) && (value as number) >= 100 && (value as number) < 600;
