#!/usr/bin/env node
// `flowsheet-server` is `flowsheet serve`.
// Logs may be rotated while the program is still being loaded: that must not end it.
process.on("SIGHUP", () => {});
process.argv.splice(2, 0, "serve");
void import("./bin.js");
