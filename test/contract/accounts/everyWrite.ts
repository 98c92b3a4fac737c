/** Texts that no entry of a log may hold, wherever a caller puts them. */
export const PLANTS = [
  "planted@example.com",
  "planted%40example.com",
  "+4915112345678",
  "planted-secret-0123456789",
  "planted-value",
  "planted-order",
  "planted-record",
  "planted name",
];
const [ADDRESS = "", , PHONE = "", SECRET = "", VALUE = "", ORDER = "", RECORD = "", NAME = ""] = PLANTS;
const CONTACT = `/v2/contacts/${encodeURIComponent(ADDRESS)}`;

export interface WriteToSend {
  readonly operation: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** Ids that earlier answers gave, by the operation that gave them. */
export type Input = (operation: string, member: string) => string;

type Send = (input: Input) => Omit<WriteToSend, "operation" | "method"> & { readonly method?: WriteToSend["method"] };

const post = (path: string, body?: unknown) => ({ method: "POST", path, body }) as const;
const put = (path: string, body?: unknown) => ({ method: "PUT", path, body }) as const;
const remove = (path: string) => ({ method: "DELETE", path }) as const;
const line = { productID: "p1", sku: "s1", category: "c", name: NAME, properties: { note: VALUE } };
const TIMEFRAME = { start: "2026-01-01", end: "2026-02-01" };
const criteria = { event: VALUE, within: { last: { n: 30, unit: "day" } } };

const template = {
  ...{ channel: "sms", baseAggregation: "daily", tags: [VALUE] },
  message: { content: { "text/plain": `${VALUE} {{ contact.cID }}` } },
};

const message = { channel: "sms", tags: [VALUE], message: template.message };

const importOf = (provided: Input) => ({
  source: { transport: "file", path: provided("createUpload", "url") },
  hasHeader: true,
  importName: "planted-import",
});

/** Id of a draft that is there before. */
const DRAFT = "65f0c0ffee65f0c0ffee00e1";

const goals = (name: string, count: number, last: string) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: `${name}${n}`, type: "goal", config: { name: VALUE } },
    next: [{ id: n === count - 1 ? last : `${name}${n + 1}` }],
  }));
const split = (id: string, to: string) => ({
  ...{ id, type: "split" },
  config: {
    paths: [
      { label: "long", weight: 1 },
      { label: "short", weight: 0 },
    ],
  },
  next: [
    { id: to, label: "long" },
    { id: "end", label: "short" },
  ],
});
/** A run of it fails by its number of steps, and waits for a day once it is tried again. */
const draft = {
  actions: [
    ...[split("first", "a0"), ...goals("a", 50, "second"), split("second", "b0"), ...goals("b", 51, "wait")],
    { id: "wait", type: "delay", config: { for: { n: 1, unit: "day" } } },
    { id: "end", type: "exit" },
  ],
};
const RECORD_MAPPING = {
  to: {
    "contact.identifiers.email": "=mail",
    "contactactivities[0].name": VALUE,
    "contactactivities[0].time": "2026-01-01T00:00:00Z",
  },
};
const WINDOW = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };

/** One call of every route that writes, by its operation, in an order in which each of them succeeds; `ids`: two dead letters. */
export function everyWrite(ids: readonly [string, string]): Readonly<Record<string, Send>> {
  const [redriven, discarded] = ids;
  return {
    updateAccount: () => put("/v2/account", { partners: { listsync: { secrets: [SECRET] } } }),
    createApikey: () => post("/v2/apikeys", { name: NAME, scopes: ["intake"] }),
    deleteApikey: (received) => remove(`/v2/apikeys/${received("createApikey", "id")}`),
    createContact: () =>
      post("/v2/contacts", {
        channels: { email: { address: ADDRESS }, sms: { address: PHONE } },
        attributes: { note: VALUE },
      }),
    updateContact: () => put(CONTACT, { attributes: { note: `${VALUE} 2` } }),
    setCart: () => post(`${CONTACT}/cart`, { cartitems: [line] }),
    updateCart: () => put(`${CONTACT}/cart`, { cartitems: [line] }),
    addCartitem: () => post(`${CONTACT}/cartitems`, { ...line, qty: 5 }),
    removeCartitem: () => remove(`${CONTACT}/cartitems/p1/1`),
    removeCartitemOfSku: () => remove(`${CONTACT}/cartitems/p1/1/s1`),
    clearCart: () => remove(`${CONTACT}/cart`),
    unsubscribeContact: () => put(`${CONTACT}/unsubscribe/email?mcID=m1`),
    createContactactivity: () =>
      post("/v2/contactactivities", { email: ADDRESS, action: "visit", properties: { note: VALUE } }),
    createAccountlist: () => post("/v2/accountlists", { name: "planted-list" }),
    updateAccountlist: (given) => put(`/v2/accountlists/${given("createAccountlist", "id")}`, { enhanced: true }),
    updateAccountlistmembers: (given) =>
      put(`/v2/accountlists/${given("createAccountlist", "id")}/members`, { add: [{ email: ADDRESS }] }),
    clearAccountlist: (given) => put(`/v2/accountlists/${given("createAccountlist", "id")}/clear`),
    cancelJob: (given) => put(`/v2/jobs/${given("clearAccountlist", "jobId")}/cancel`),
    deleteAccountlist: (given) => remove(`/v2/accountlists/${given("createAccountlist", "id")}`),
    createAttribute: () => post("/v2/accountcontactattributes", { key: "colour", type: "string", name: NAME }),
    updateAttribute: () => put("/v2/accountcontactattributes/colour", { name: `${NAME} 2` }),
    deleteAttribute: () => remove("/v2/accountcontactattributes/colour"),
    createOrder: () =>
      post("/v2/orders", { orderID: ORDER, email: ADDRESS, purchaseDate: "2026-01-09", items: [], customerID: VALUE }),
    updateOrder: () => put(`/v2/orders/${ORDER}`, { status: VALUE }),
    deleteOrder: () => remove(`/v2/orders/${ORDER}`),
    createProducts: () => post("/v2/products", { productID: "p1", productName: NAME, price: 2 }),
    updateProduct: () => put("/v2/products/p1", { productName: `${NAME} 2` }),
    deleteProduct: () => remove("/v2/products/p1"),
    createUpload: () => post(`/v2/uploads?name=${encodeURIComponent(NAME)}`, { email: ADDRESS, note: VALUE }),
    createSupplement: () =>
      post("/v2/supplements", { key: "cars", name: NAME, indexes: [{ field: "model", type: "string" }] }),
    updateSupplement: () => put("/v2/supplements/cars", { name: `${NAME} 2` }),
    createSupplementrecord: () => post("/v2/supplements/cars/records", { id: RECORD, email: ADDRESS, model: VALUE }),
    updateSupplementrecord: () => put(`/v2/supplements/cars/records/${RECORD}`, { model: `${VALUE} 2` }),
    deleteSupplementrecord: () => remove(`/v2/supplements/cars/records/${RECORD}`),
    createSupplementimport: (given) => post("/v2/supplements/cars/imports", importOf(given)),
    clearSupplement: () => put("/v2/supplements/cars/clear"),
    deleteSupplement: () => remove("/v2/supplements/cars"),
    createInclude: () => post("/v2/includes", { key: "footer", content: VALUE, name: NAME }),
    updateInclude: () => put("/v2/includes/footer", { content: `${VALUE} 2` }),
    deleteInclude: () => remove("/v2/includes/footer"),
    createTransport: () =>
      post("/v2/transports", {
        ...{ name: NAME, channel: "sms", type: "http" },
        settings: { url: "https://sms.example.com/send", headers: { "x-note": VALUE } },
      }),
    updateTransport: (given) =>
      put(`/v2/transports/${given("createTransport", "id")}`, { settings: { headers: { "x-note": `${VALUE} 2` } } }),
    createBatchmessage: (given) =>
      post("/v2/batchmessages", {
        ...{ name: NAME, classification: "promotional", ...message, audience: criteria, allowEmpty: true },
        transportID: given("createTransport", "id"),
      }),
    updateBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}`, { name: `${NAME} 2` }),
    unscheduleBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}/unschedule`),
    sendBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}/send`),
    sendTestBatchmessage: (given) =>
      put(`/v2/batchmessages/${given("createBatchmessage", "id")}/sendtest`, { email: [ADDRESS] }),
    pauseBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}/pause`),
    resumeBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}/resume`),
    retryBatchmessagesends: (given) =>
      post(`/v2/batchmessages/${given("createBatchmessage", "id")}/sends/retry`, { states: ["failed"] }),
    cancelBatchmessage: (given) => put(`/v2/batchmessages/${given("createBatchmessage", "id")}/cancel`),
    deleteBatchmessage: () => remove(`/v2/batchmessages/${DRAFT}`),
    createTemplate: (given) =>
      post("/v2/automationtemplates", {
        key: "noted",
        name: NAME,
        ...template,
        transportID: given("createTransport", "id"),
      }),
    updateTemplate: () => put("/v2/automationtemplates/noted", { message: template.message, draftContent: true }),
    publishTemplate: () => put("/v2/automationtemplates/noted/publish"),
    sendTemplate: () =>
      post("/v2/automationtemplates/noted/send", { to: { email: ADDRESS, [NAME]: VALUE }, mergeData: { note: VALUE } }),
    sendTemplatedraft: () => post("/v2/automationtemplates/noted/senddraft", { to: { email: ADDRESS } }),
    deleteTemplate: () => remove("/v2/automationtemplates/noted"),
    deleteTransport: (given) => remove(`/v2/transports/${given("createTransport", "id")}`),
    createSuppression: () => post("/v2/suppressions", { channel: "email", address: `x${ADDRESS}`, note: VALUE }),
    deleteSuppression: (given) => remove(`/v2/suppressions/${given("createSuppression", "id")}`),
    createAudience: () => post("/v2/audiences", { key: "noted", name: NAME, criteria }),
    updateAudience: () => put("/v2/audiences/noted", { description: VALUE }),
    deleteAudience: () => remove("/v2/audiences/noted"),
    redriveDeadletters: () => post("/v2/deadletters/redrive", { select: { ids: [redriven] } }),
    discardDeadletters: () => post("/v2/deadletters/discard", { select: { ids: [discarded] }, reason: VALUE }),
    createContactexport: () => post("/v2/contactexports", { fields: ["cID"], criteria }),
    createActivityexport: () =>
      post("/v2/contactactivityexport", {
        timeframe: TIMEFRAME,
        selected_contact: ADDRESS,
        selected_action_name: VALUE,
      }),
    createAudiencetrendsexport: () => post("/v2/audiencetrendsexport", { criteria, timeframe: TIMEFRAME }),
    createMessageexport: () =>
      post("/v2/messageanalyticsexport", { timeframe: TIMEFRAME, selected_message_name: VALUE }),
    createProgram: () => post("/v2/programs", { name: NAME, messages: { tags: [VALUE] } }),
    updateProgram: (given) => put(`/v2/programs/${given("createProgram", "id")}`, { name: `${NAME} 2` }),
    deleteProgram: (given) => remove(`/v2/programs/${given("createProgram", "id")}`),
    createActivityimport: (given) => post("/v2/activityimports", importOf(given)),
    createContactimport: (given) => post("/v2/contactimports", importOf(given)),
    createOrdersimport: (given) => post("/v2/ordersimport", { source: importOf(given).source }),
    createProductimport: (given) => post("/v2/productimports", importOf(given)),
    createOrdersexport: () => post("/v2/ordersexport", {}),
    createLogexport: () => post("/v2/accountmonitorexport", { timeframe: TIMEFRAME }),
    downloadContactprofile: () => post(`${CONTACT}/downloadprofile`, {}),
    splitContact: () => post("/v2/contacts/split", { primaryKey: ADDRESS, channelNames: ["sms"] }),
    createOrchestration: () =>
      post("/v2/orchestrations", { name: NAME, trigger: { api: true }, composition: { draft } }),
    updateOrchestration: (given) =>
      put(`/v2/orchestrations/${given("createOrchestration", "orchestrationID")}`, { publish: true, status: true }),
    triggerOrchestration: (given) =>
      post(`/v2/orchestrations/${given("createOrchestration", "orchestrationID")}/trigger`, {
        for: [{ contact: { email: ADDRESS }, extVars: { note: VALUE } }],
      }),
    retryOrchestrationcontact: (given) =>
      put(
        `/v2/orchestrations/${given("createOrchestration", "orchestrationID")}/contacts/${encodeURIComponent(ADDRESS)}/retry`,
      ),
    exitOrchestrationcontact: (given) =>
      put(
        `/v2/orchestrations/${given("createOrchestration", "orchestrationID")}/contacts/${encodeURIComponent(ADDRESS)}/exit`,
      ),
    simulateOrchestration: (given) =>
      post(`/v2/orchestrations/${given("createOrchestration", "orchestrationID")}/simulate`, WINDOW),
    deleteOrchestration: (given) => remove(`/v2/orchestrations/${given("createOrchestration", "orchestrationID")}`),
    createDatajob: (given) =>
      post("/v2/datajobs", {
        ...{ key: "noted", name: NAME, kind: "oneTime", apiTrigger: true, mapping: RECORD_MAPPING },
        ...{ target: { type: "activities" }, source: importOf(given).source },
      }),
    updateDatajob: () => put("/v2/datajobs/noted", { name: `${NAME} 2` }),
    transformDatajob: () => post("/v2/datajobs/noted/transform", { mail: ADDRESS }),
    triggerDatajob: () => post("/v2/datajobs/noted/trigger"),
    deleteDatajob: () => remove("/v2/datajobs/noted"),
    createWebhook: () =>
      post("/v2/webhooks", { url: "https://hooks.example.com/x", events: ["job.done"], description: VALUE }),
    updateWebhook: (given) => put(`/v2/webhooks/${given("createWebhook", "id")}`, { description: `${VALUE} 2` }),
    replayWebhook: (given) => post(`/v2/webhooks/${given("createWebhook", "id")}/replay`, WINDOW),
    deleteWebhook: (given) => remove(`/v2/webhooks/${given("createWebhook", "id")}`),
    createAlert: () =>
      post("/v2/alerts", {
        ...{ type: "jobs-failed", enabled: true, notify: [ADDRESS], conditions: [{ operator: "gt", value: 3 }] },
      }),
    updateAlert: (given) => put(`/v2/alerts/${given("createAlert", "id")}`, { notify: [ADDRESS, `2${ADDRESS}`] }),
    deleteAlert: (given) => remove(`/v2/alerts/${given("createAlert", "id")}`),
    mergeContacts: () =>
      post("/v2/contacts/merge", { sourceContact: `phone:${PHONE}`, destinationContact: ADDRESS, options: {} }),
    deleteContact: () => remove(CONTACT),
  };
}
