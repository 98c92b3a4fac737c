/**
 * The direction of imports, as one rule each. Each floor imports only floors below it:
 * kernel <- contracts <- platform (one technology each) <- contexts (everything of their nouns) <- apps (composition).
 * `client` and `api-client` stand alone, `testing` may use every package and is used by tests alone, `infra` stands next to the apps.
 */
const GROUND = ["kernel", "contracts"];
/** The packages of the platform, each with the others that it is made of. */
const PLATFORM = {
  sandbox: [],
  client: [],
  postgres: [],
  topics: [],
  http: [],
  clickhouse: ["postgres"],
  guard: ["postgres", "clickhouse"],
  api: ["postgres", "clickhouse", "http"],
  jobs: ["postgres", "clickhouse", "http", "topics", "sandbox", "api"],
};
/** Each imports those before it. */
const CONTEXTS = [
  "criteria",
  "accounts",
  "identity",
  "records",
  "intake",
  "audiences",
  "analytics",
  "messaging",
  "automation",
];
/** Tests, and what they share beside them: `testClient.ts`, `testServer.ts`. */
const TEST_FILES = String.raw`\.test\.ts$|^(packages|apps)/.*/test[A-Z]\w*\.ts$|^test/|^packages/testing/`;
/** Files that are loaded where a storage is called. */
const STORAGE_CLIENTS = "^packages/jobs/src/(destinations/(s3|azure|sftp)/|files/s3FileStore)";
/** Packages with one index; of the others each file is imported by its name. */
const INDEXED = [...GROUND, "sandbox", "client", "api-client", "topics", "http", "criteria", "testing"];
/** Roles that know no store and no clock. */
const PURE = [
  "^packages/criteria/",
  "^packages/intake/src/(operations|partners)/",
  "^packages/records/src/(fold|members|messageData)/",
  "^packages/records/src/carts/(cart|cartView|changeCart|setCart)\\.ts$",
  "^packages/records/src/lists/(list|listBound|membership)\\.ts$",
  "^packages/records/src/orders/(orderDocument|orderView|orderWrite|writeOrder)\\.ts$",
  "^packages/records/src/products/(observations|product)\\.ts$",
  "^packages/records/src/supplements/(builtInTables|supplement|supplementCheck|supplementKeys|supplementLink|supplementTypes|supplementWrite|writeSupplement)\\.ts$",
  "^packages/records/src/contacts/(apart|attributeClears|canonicalAddress|canonicalizeContact|castAllowed|castAttributes|checkContact|contactBounds|contactDocument|contactIndex|explicitMerge|formerHolders|geoMembers|identifierHistory|identifierMap|identifierValidity|memberEvents|memberPaths|merge|mergeAsAsked|mergeChanges|mergeDocument|mergeMembersAsAsked|messageEvents|model|moveMembers|readIdentifiers|resolution|resolveContact|restrictedMembers|membersView|softBounces|splitContact|storedMerge|subscriptionTimestamps|suppressedAddress|undoMerge|writeChannel|writeContact|writeEffect|writeMembers|writeStatus|writing)\\.ts$",
  "^packages/identity/src/roles/role\\.ts$",
  "^packages/messaging/src/(experiments|schedule)/",
  "^packages/automation/src/orchestrations/(checks|criteria|durations|facts|fold|migrate|orchestration|run|split|start)\\.ts$",
].join("|");
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
  ...Object.entries(PLATFORM).map(([name, others]) =>
    rule(
      `${name}-knows-one-technology`,
      "a package of the platform knows no noun and only what it is made of",
      { path: `^packages/${name}/`, pathNot: TEST_FILES },
      oursBut(`^packages/(${[name, ...GROUND, ...others].join("|")})/`),
    ),
  ),
  ...CONTEXTS.map((name, floor) =>
    rule(
      `${name}-imports-floors-below`,
      "a context imports the platform and the contexts below it; what one above must do comes in as a hook",
      { path: `^packages/${name}/`, pathNot: TEST_FILES },
      oursBut(`^packages/(${[...GROUND, ...Object.keys(PLATFORM), ...CONTEXTS.slice(0, floor + 1)].join("|")})/`),
    ),
  ),
  rule(
    "pure-roles-do-no-input-or-output",
    "rules and folds are pure: drivers, statements and I/O belong to other roles",
    { path: PURE, pathNot: TEST_FILES },
    {
      path: `${IO_OF_NODE}|^packages/(${Object.keys(PLATFORM).join("|")})/|node_modules/(kafkajs|@kafkajs|pg|@types/pg|@clickhouse|fastify|@fastify|undici)/`,
    },
  ),
  rule(
    "operations-keep-to-their-folder",
    "one folder is one operation or partner; what two share is a file next to the folders",
    { path: "^packages/intake/src/(operations|partners)/([^/]+)/" },
    { path: "^packages/intake/src/$1/[^/]+/", pathNot: "^packages/intake/src/$1/$2/" },
  ),
  rule(
    "api-client-imports-client",
    "both clients stand alone, for callers who have nothing else of ours; they share how a request is delivered",
    { path: "^packages/api-client/", pathNot: TEST_FILES },
    oursBut("^packages/(api-client|client)/"),
  ),
  rule(
    "packages-import-no-app",
    "packages stand below apps; a test of a route may start the service",
    { path: "^packages/", pathNot: TEST_FILES },
    { path: "^apps/" },
  ),
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
    "store-clients-in-their-package",
    "one package knows how each store is reached",
    { path: "^(packages|apps)/", pathNot: `^packages/(postgres|clickhouse)/|${TEST_FILES}` },
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
    { path: "^(packages|apps)/", pathNot: `^packages/messaging/src/tracker/mail/mailboxProcess\\.ts$|${TEST_FILES}` },
    { path: "node_modules/imapflow/", dependencyTypesNot: ["type-only"] },
  ),
];

const hygiene = [
  rule(
    "through-the-index",
    "a package of the ground or the platform that has an index is imported by it",
    { path: "^(packages|apps|infra|test)/([^/]+)/" },
    {
      path: `^packages/(${INDEXED.join("|")})/`,
      pathNot: [
        "^packages/$2/",
        "^packages/[^/]+/src/index\\.ts$",
        "^packages/kernel/src/(depth|priority|text)\\.ts$",
        "^packages/sandbox/src/serveTasks\\.ts$",
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
    { path: String.raw`\.test\.ts$|^(packages|apps)/.*/(?<!/routes/)test[A-Z]\w*\.ts$|^test/` },
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
