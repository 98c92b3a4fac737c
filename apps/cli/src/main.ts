#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// What was compiled once is kept for the next command, which then begins in half the time: in a folder of the user's own,
// so that nobody else can put code there.
const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
const folder = cache || (home && join(home, ".cache"));
if (folder) enableCompileCache(join(folder, "headwater"));

await import("./run.ts");
