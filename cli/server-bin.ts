#!/usr/bin/env node
// `flowsheet-server` is `flowsheet serve`.
process.argv.splice(2, 0, "serve");
void import("./bin.js");
