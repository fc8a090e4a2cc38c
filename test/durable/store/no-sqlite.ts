// Looks for SQLite where there is none: Node's own is hidden, and outside of every project there is no package.
import { findDriver } from "../../../runtime/durable/sqlite/driver.js";

process.getBuiltinModule = () => undefined;
try {
  findDriver();
} catch (error) {
  const { code, help } = error as { readonly code: string; readonly help: string };
  console.log(JSON.stringify({ code, help }));
}
