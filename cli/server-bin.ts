#!/usr/bin/env node
// `flowsheet-server` is `flowsheet serve`.
// Log rotation may send SIGHUP while the program still loads: that must not end it.
process.on("SIGHUP", () => {});
process.argv.splice(2, 0, "serve");
void import("./bin.js");
