// Makes a case folder with a sheet to start from: npm run new:case -- group/my-case
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9/-]+$/.test(name)) {
  console.error("usage: npm run new:case -- group/my-case   (small letters, digits, - and /)");
  process.exit(2);
}
const folder = join("test/cases", name);
if (existsSync(folder)) {
  console.error(`${folder} is there already`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "input.csv"),
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt\n",
);
console.log(`${folder}/input.csv is there. Fill it in, then: npm run golden`);
