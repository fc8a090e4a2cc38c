/** A server of tools that is made with the package of the protocol. `FIND` is the schema of what `find_customer` gives. */
export const DECLARED = `
import { readFileSync } from "node:fs";
import { McpServer, fromJsonSchema } from ${JSON.stringify(import.meta.resolve("@modelcontextprotocol/server"))};
import { StdioServerTransport } from ${JSON.stringify(import.meta.resolve("@modelcontextprotocol/server/stdio"))};

const server = new McpServer({ name: "crm", version: "1.0.0" });
const shape = (properties, required = Object.keys(properties)) =>
  fromJsonSchema({ type: "object", properties, required, additionalProperties: false });
const text = { type: "string" };
const found = JSON.parse(readFileSync("found.json", "utf8"));
server.registerTool(
  "find_customer",
  {
    description: "Uses " + process.env.TOKEN,
    inputSchema: shape({ customer: text, most: { type: "integer" } }, ["customer"]),
    outputSchema: shape({ orders: found, names: { type: "array", items: text }, level: { enum: ["gold", "none"] }, note: text }, ["orders", "names", "level"]),
  },
  async ({ customer }) => {
    const data = { orders: 12, names: [customer], level: "gold" };
    return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };
  },
);
server.registerTool("say", { inputSchema: shape({ what: { ...text, default: process.env.TOKEN } }) }, async ({ what }) => ({
  content: [{ type: "text", text: "said " + what }],
}));
await server.connect(new StdioServerTransport());
`;
