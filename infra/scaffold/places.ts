/** Folders of slices and files that register them: a move of a folder changes this file alone. */
export const places = {
  operations: "packages/intake/src/operations",
  operationRegistry: "packages/intake/src/operations/registry.ts",
  /** An operation whose imports the new one shares. */
  operationModel: "packages/intake/src/operations/setOrderStatus",
  clientItems: "packages/client/src/items.ts",
  clientOperations: "packages/client/src/operations.ts",
  clientItemsTest: "test/architecture/clientItems.test.ts",
  lawItems: "test/laws/items.ts",
  producersGuide: "docs/producers.md",
  pushOperations: "packages/intake/src/partners/push.ts",
  /** Contexts, each with one folder a resource, and in its `routes` one file a route. The first takes what no folder is named by. */
  contexts: ["records", "accounts", "intake", "audiences", "analytics", "messaging"],
  routeRegistry: "apps/service/src/routes.ts",
  routeModel: "packages/intake/src/lags/routes/getFreshness.ts",
  scopes: "packages/contracts/src/apiKeys.ts",
  partners: "packages/intake/src/partners",
  partnerRegistry: "packages/intake/src/partners/registry.ts",
  partnerNames: "packages/intake/src/partners/endpoint.ts",
  partnerStatuses: "test/contract/ingress/partners/endpoints.test.ts",
  leaves: "packages/audience/src/leaves",
  leafTable: "packages/audience/src/leaves/leaves.ts",
  /** A leaf of one file, whose imports the new one shares. */
  leafModel: "packages/audience/src/leaves/sample.ts",
  audiencesGuide: "docs/audiences.md",
  commands: "apps/cli/src/commands",
  commandRegistry: "apps/cli/src/program.ts",
  commandGuide: "docs/cli.md",
  jobs: "packages/analytics/src",
  jobRegistry: "apps/worker/src/jobs/index.ts",
  jobInputs: "packages/contracts/src/jobs.ts",
  jobGuide: "apps/worker/README.md",
} as const;
