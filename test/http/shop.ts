import { createHmac } from "node:crypto";
import { onTestFinished } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { type ServiceSetup, startService, type TestService } from "./service.js";

export const SECRET = "a secret of the shop, long enough";
const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context.webhook";

const sheet = (graph: string, webhook: object) =>
  `${HEADER}\n${graph},Take,,echo,item,taken,{item},"${JSON.stringify(webhook).replaceAll('"', '""')}"\n`;

export const ORDERS = sheet("Orders", { path: "/orders", secret: "env:SHOP_SECRET", answer: "result" });
export const FILES = { "workflows/orders.csv": ORDERS };

export async function start(setup: ServiceSetup = {}): Promise<TestService> {
  const service = await startService({ files: FILES, env: { SHOP_SECRET: SECRET }, ...setup });
  onTestFinished(() => service.stop());
  return service;
}

export function send({ port }: TestService, id: string, key = SECRET, item = "tea"): Promise<RawAnswer> {
  const body = JSON.stringify({ item });
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  const headers = [
    `webhook-id: ${id}`,
    `webhook-timestamp: ${at}`,
    `webhook-signature: v1,${signature}`,
    "Content-Type: application/json",
  ];
  return request(port, "POST /hooks/orders", headers, body);
}

export const runIdOf = ({ json }: RawAnswer): unknown => json?.["run_id"];
