/**
 * The direction of imports, as one rule each:
 * kernel <- contracts <- domain <- (slices: operations, partners, audience | adapters: topics, stores, http, messaging, client)
 * client <- api-client (the same delivery for the other API)
 * <- projection (the domain and audience over stores) <- apps.
 * `testing` may use every package and is used by tests alone; `infra` stands beside the apps.
 */
const SLICES = "operations|partners|audience";
const ADAPTERS = "topics|stores|http|messaging|client";
/** Tests, and what they share beside them: `testClient.ts`, `testServer.ts`. */
const TEST_FILES = String.raw`\.test\.ts$|^(packages|apps)/.*/test[A-Z]\w*\.ts$|^test/|^packages/testing/`;
/** Files that are loaded where a storage is called. */
const STORAGE_CLIENTS = "^packages/stores/src/(destinations/(s3|azure|sftp)/|files/s3FileStore)";
const IO_OF_NODE =
  "^(node:)?(fs|fs/promises|net|tls|dgram|dns|http|http2|https|child_process|cluster|worker_threads|sqlite|ffi)$";

/** Core modules that this tool does not know yet. */
const NEW_IN_NODE = "^(node:)?ffi$";

/** Everything of ours (packages, apps, infra) but what `allowed` matches. */
const oursBut = (allowed) => ({ path: "^(packages|apps|infra)/", pathNot: allowed });
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const layers = [
  rule(
    "kernel-imports-nothing",
    "kernel stands below all else",
    { path: "^packages/kernel/" },
    oursBut("^packages/kernel/"),
  ),
  rule(
    "contracts-import-kernel",
    "contracts is the vocabulary: it knows kernel alone",
    { path: "^packages/contracts/", pathNot: TEST_FILES },
    oursBut("^packages/(contracts|kernel)/"),
  ),
  rule(
    "domain-imports-kernel-and-contracts",
    "the domain is pure rules: it knows the wire and nothing that runs",
    { path: "^packages/domain/", pathNot: TEST_FILES },
    oursBut("^packages/(domain|kernel|contracts)/"),
  ),
  rule(
    "slices-import-kernel-contracts-and-domain",
    "a slice is pure: it knows no adapter, no app and no other slice package",
    { path: `^packages/(${SLICES})/`, pathNot: TEST_FILES },
    oursBut("^packages/($1|kernel|contracts|domain)/"),
  ),
  rule(
    "slices-do-no-input-or-output",
    "a slice is pure: drivers and I/O belong to adapters",
    { path: `^packages/(${SLICES}|domain)/`, pathNot: TEST_FILES },
    { path: `${IO_OF_NODE}|node_modules/(kafkajs|@kafkajs|pg|@types/pg|@clickhouse|fastify|@fastify|undici)/` },
  ),
  rule(
    "slices-keep-to-their-folder",
    "one folder is one operation or partner; what two share is a file beside the folders",
    { path: "^packages/(operations|partners)/src/([^/]+)/" },
    { path: "^packages/$1/src/[^/]+/", pathNot: "^packages/$1/src/$2/" },
  ),
  rule(
    "adapters-import-kernel-contracts-and-domain",
    "an adapter knows no other adapter, no slice and no app",
    { path: `^packages/(${ADAPTERS})/`, pathNot: TEST_FILES },
    oursBut("^packages/($1|kernel|contracts|domain|sandbox)/"),
  ),
  rule(
    "sandbox-imports-kernel",
    "the pool of processes knows no noun: whoever uses it brings the tasks",
    { path: "^packages/sandbox/", pathNot: TEST_FILES },
    oursBut("^packages/(sandbox|kernel)/"),
  ),
  rule(
    "api-client-imports-client",
    "both clients stand alone, for callers who have nothing else of ours; they share how a request is delivered",
    { path: "^packages/api-client/", pathNot: TEST_FILES },
    oursBut("^packages/(api-client|client)/"),
  ),
  rule(
    "projection-joins-domain-and-stores",
    "projection is where folds and criteria meet the database: it knows no other slice and no other adapter",
    { path: "^packages/projection/", pathNot: TEST_FILES },
    oursBut("^packages/(projection|domain|audience|stores|kernel|contracts)/"),
  ),
  rule("packages-import-no-app", "packages stand below apps", { path: "^packages/" }, { path: "^apps/" }),
  rule(
    "packages-import-no-infra",
    "packages run wherever the services are; only tests start services",
    { path: "^packages/", pathNot: TEST_FILES },
    { path: "^infra/" },
  ),
  rule(
    "apps-import-no-app",
    "processes meet over the network",
    { path: "^apps/([^/]+)/" },
    { path: "^apps/", pathNot: "^apps/$1/" },
  ),
  rule(
    "apps-import-no-infra",
    "apps run without our infra",
    { path: "^apps/", pathNot: TEST_FILES },
    { path: "^infra/" },
  ),
  rule("infra-imports-no-app", "infra starts apps as processes", { path: "^infra/" }, { path: "^apps/" }),
  rule(
    "testing-is-for-tests",
    "what is shipped does not hold test doubles",
    { pathNot: TEST_FILES },
    { path: "^packages/testing/" },
  ),
];

const drivers = [
  rule(
    "kafka-client-in-topics",
    "kafkajs has traps; they are handled in one place",
    { path: "^(packages|apps)/", pathNot: `^packages/topics/|${TEST_FILES}` },
    { path: "node_modules/(kafkajs|@kafkajs)/" },
  ),
  rule(
    "store-clients-in-stores",
    "SQL lives in one place",
    { path: "^(packages|apps)/", pathNot: `^packages/stores/|${TEST_FILES}` },
    { path: "node_modules/(pg|@types/pg|@clickhouse)/" },
  ),
  rule(
    "storage-clients-in-their-process",
    "what a storage answers is read in processes of their own; the bucket of our own files is the operator's",
    { path: "^(packages|apps)/", pathNot: `${STORAGE_CLIENTS}|${TEST_FILES}` },
    {
      path: `node_modules/(@aws-sdk|@azure|ssh2|ssh2-sftp-client)/|${STORAGE_CLIENTS}`,
      pathNot: "/sftp/hostKeys\\.ts$",
      dependencyTypesNot: ["type-only", "dynamic-import"],
    },
  ),
];

/** Foreign content is parsed in processes of the sandbox: what parses it is imported by them alone, but for types. */
const processes = [
  rule(
    "imap-in-its-process",
    "an IMAP server's answers may take any time and memory: only the process of the mailbox reads them",
    { path: "^(packages|apps)/", pathNot: `^apps/tracker/src/mail/mailboxProcess\\.ts$|${TEST_FILES}` },
    { path: "node_modules/imapflow/", dependencyTypesNot: ["type-only"] },
  ),
];

const hygiene = [
  rule(
    "through-the-index",
    "a package is imported by its name; its indexes list what it gives",
    { path: "^(packages|apps|infra|test)/([^/]+)/" },
    {
      path: "^packages/([^/]+)/",
      pathNot: [
        "^packages/$2/",
        "^packages/[^/]+/src/index\\.ts$",
        "^packages/domain/src/[^/]+/index\\.ts$",
        "^packages/kernel/src/(priority|text)\\.ts$",
        "^packages/sandbox/src/serveTasks\\.ts$",
        "^packages/messaging/src/compose/composeMail\\.ts$",
        "^packages/messaging/src/providerEvents/readProviderEvents\\.ts$",
        "^packages/stores/src/((postgres|clickhouse)/)?[^/]+/index\\.ts$",
        "^packages/[^/]+/package\\.json$",
      ],
    },
  ),
  rule("no-cycles", "a cycle has no order to read it in", {}, { circular: true }),
  rule(
    "no-unresolvable",
    "an import that cannot be resolved checks nothing",
    {},
    { couldNotResolve: true, pathNot: NEW_IN_NODE },
  ),
  rule(
    "no-undeclared-package",
    "what a package imports stands in its package.json",
    { path: "^(packages|apps|infra)/", pathNot: TEST_FILES },
    { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
  ),
  rule(
    "no-test-from-source",
    "tests are leaves",
    { pathNot: TEST_FILES },
    { path: String.raw`\.test\.ts$|^(packages|apps)/.*/test[A-Z]\w*\.ts$|^test/` },
  ),
];

export default {
  forbidden: [...layers, ...drivers, ...processes, ...hygiene],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(\\.headwater|\\.headwater-test|\\.turbo|coverage)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json"],
    },
  },
};
