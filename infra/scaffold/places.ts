/** Folders of slices and files that register them: a move of a folder changes this file alone. */
export const places = {
  operations: "packages/operations/src",
  operationRegistry: "packages/operations/src/registry.ts",
  /** An operation whose imports the new one shares. */
  operationModel: "packages/operations/src/setOrderStatus",
  clientItems: "packages/client/src/items.ts",
  clientOperations: "packages/client/src/operations.ts",
  clientItemsTest: "test/architecture/clientItems.test.ts",
  lawItems: "test/laws/items.ts",
  producersGuide: "docs/producers.md",
  pushOperations: "packages/partners/src/push.ts",
  /** One folder a resource, and in its `routes` one file a route. */
  resources: "apps/service/src",
  routeRegistry: "apps/service/src/routes.ts",
  routeModel: "apps/service/src/freshness/routes/getFreshness.ts",
  scopes: "packages/contracts/src/apiKeys.ts",
  partners: "packages/partners/src",
  partnerRegistry: "packages/partners/src/registry.ts",
  partnerNames: "packages/partners/src/endpoint.ts",
  partnerStatuses: "test/contract/ingress/partners/endpoints.test.ts",
  leaves: "packages/audience/src/leaves",
  leafTable: "packages/audience/src/leaves/leaves.ts",
  /** A leaf of one file, whose imports the new one shares. */
  leafModel: "packages/audience/src/leaves/sample.ts",
  audiencesGuide: "docs/audiences.md",
  commands: "apps/cli/src/commands",
  commandRegistry: "apps/cli/src/program.ts",
  commandGuide: "docs/cli.md",
  jobs: "apps/worker/src/jobs",
  jobRegistry: "apps/worker/src/jobs/index.ts",
  jobInputs: "packages/contracts/src/jobs.ts",
  jobGuide: "apps/worker/README.md",
} as const;
