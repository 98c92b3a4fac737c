import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { ensureApiClientExists } from "./infra/bootstrap/apiClient.mjs";
import { rootFolder } from "./infra/bootstrap/places.mjs";
import { BUNDLES } from "./infra/src/programs.ts";

// For those who start Vitest by itself; the commands of package.json also notice a stale one.
ensureApiClientExists(rootFolder);

const MINUTE_MS = 60_000;
/** A set-up starts a Postgres in memory or a process: that takes a second, and over a minute beside sixteen others. */
const SET_UP_MS = 3 * MINUTE_MS;
const realServices = fileURLToPath(new URL("packages/testing/src/realServicesSetup.ts", import.meta.url));

/**
 * Files share the modules they load: most of a file's time went into loading them again, and no module has a state of its own.
 * A test that replaces something global has to put it back.
 */
const shared = { isolate: false };

/**
 * Time that a test may wait for something on a machine that is busy with something else; a second, as Vitest has it, would be a
 * measurement of the machine. A test has to last longer than what it waits for.
 */
const patient = { expect: { poll: { timeout: 20_000, interval: 20 } } };

const PROCESS = /new URL\("\.\/((?:content|incoming|mailbox|source|storage)Process)\.ts", import\.meta\.url\)/g;

/**
 * Starts the processes of foreign content from their bundles where `npm test` wrote them: loading a thousand files of TypeScript costs one of
 * these processes two to three times as much processor time, and each file of tests starts some of its own.
 */
const bundledProcesses: Plugin = {
  name: "bundled-processes",
  transform: {
    filter: { code: PROCESS },
    // The variable is read when the test runs: what is transformed stays in a cache, whether there are bundles or not.
    handler: (code) =>
      code.replace(
        PROCESS,
        (source, name: string) =>
          `(process.env.${BUNDLES} ? new URL(\`file://\${process.env.${BUNDLES}}/${name}.mjs\`) : ${source})`,
      ),
  },
};
const plugins = [bundledProcesses];

/** Suites that need nothing but Node. Some of their files wait, so there is one worker more than cores, where Vitest would have one fewer. */
function quick(name: string, include: string[], testTimeout = MINUTE_MS) {
  return {
    plugins,
    test: {
      name,
      include,
      testTimeout,
      hookTimeout: Math.max(testTimeout, SET_UP_MS),
      ...shared,
      ...patient,
      pool: "threads" as const,
      maxWorkers: availableParallelism() + 1,
      sequence: { groupOrder: 0 },
    },
  };
}

/** Full disks take root, three brokers take minutes: they are part of `npm run faults` alone. */
const { env } = process;
const longOnly = env.HEADWATER_FAULTS === "long" ? [] : ["test/faults/long/**"];

/** Suites that keep the whole machine busy: one file at a time, after the quick ones. */
function oneFileAtATime(name: string, groupOrder: number, timeoutMs: number) {
  return {
    name,
    include: [`test/${name}/**/*.test.ts`],
    exclude: longOnly,
    ...shared,
    ...patient,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    fileParallelism: false,
    sequence: { groupOrder },
  };
}

/** Suites on real Kafka, registry, Postgres and ClickHouse. */
function onRealServices(name: string, groupOrder: number, timeoutMs: number) {
  return { plugins, test: { ...oneFileAtATime(name, groupOrder, timeoutMs), globalSetup: [realServices] } };
}

export default defineConfig({
  test: {
    projects: [
      quick("unit", [
        "packages/**/*.test.ts",
        "apps/**/*.test.ts",
        "infra/**/*.test.ts",
        "test/load/**/*.test.ts",
        "test/laws/**/*.test.ts",
      ]),
      quick("architecture", ["test/architecture/**/*.test.ts"], 4 * MINUTE_MS),
      onRealServices("contract", 1, 2 * MINUTE_MS),
      onRealServices("destinations", 2, 2 * MINUTE_MS),
      onRealServices("pipeline", 3, 2 * MINUTE_MS),
      onRealServices("faults", 4, 10 * MINUTE_MS),
      // It gives way to the suites on services.
      { test: oneFileAtATime("infra", 5, 6 * MINUTE_MS) },
    ],
  },
});
