import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import type { Account } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cid } from "../analytics/analyticsWorld.ts";
import { loggedActivity } from "../analytics/exports/exportWorld.ts";
import { type Running, startService, storedTime } from "../service/running.ts";
import { AT, versionAt } from "../service/seed.ts";

let service: Running;
let fallback: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  const { account } = await service.account();
  fallback = {
    HEADWATER_HOME: "/nowhere",
    HEADWATER_BASE_URL: await service.listen(),
    HEADWATER_API_KEY: await service.key(account, { scopes: ["read", "write", "admin", "intake"] }),
  };
});
afterAll(() => service.stop());

/** Words of a command as a shell cuts them, but that nothing is quoted: what holds a blank comes as `more`. */
async function headwater(words: string, more: readonly string[] = [], input = "", env = fallback) {
  const { terminal, out, said } = createMemoryTerminal({ input });
  const code = await runCommand({ args: [...words.split(" "), ...more], env, terminal, connect });
  return { code, out: out(), said: said() };
}

async function json(words: string, more: readonly string[] = [], input = "") {
  const { code, out, said } = await headwater(`${words} --json`, more, input);
  expect([words, code, said]).toEqual([words, 0, expect.any(String)]);
  return JSON.parse(out);
}

const codeOf = async (words: string) => (await headwater(words)).code;
const ADA = "ada@example.com";

test("a contact is made, changed, found, unsubscribed, merged, split and deleted", async () => {
  const created = await json(`contacts upsert --set channels.email.address=${ADA} --set attributes.country=GB`);
  const { out: after } = await headwater(`contacts update ${ADA} --set attributes.country=FR --receipt`);
  expect(await json(`contacts get ${ADA} --after ${after.trim()}`)).toMatchObject({
    cID: created.cID,
    attributes: { country: "FR" },
  });
  expect(await json(`contacts search --email ${ADA} --fields cID`)).toEqual([{ cID: created.cID }]);
  await json(`contacts unsubscribe ${ADA} email`);
  const { out } = await headwater(`contacts get ${ADA} -o csv --fields channels.email.subscribeStatus`);
  expect(out).toBe("channels.email.subscribeStatus\nunsubscribed\n");
  await json(`contacts split ${ADA} email`);
  const merge = await headwater(`contacts merge ${ADA} ${created.cID} --yes --json`);
  expect([merge.code, merge.said]).toEqual([0, expect.stringContaining("headwater jobs wait ")]);
  expect(await json(`contacts history ${ADA}`)).toEqual(expect.any(Array));
  expect(await json(`contacts timeline ${ADA}`)).toEqual([]);
  expect((await json(`contacts delete ${ADA} --yes`)).success).toBe(true);
  expect(await codeOf(`contacts get ${ADA}`)).toBe(4);
});

test("a cart is set, changed, added to, taken from and emptied", async () => {
  const line = { productID: "p", sku: "s", category: "c", name: "n", qty: 2 };
  await json("contacts upsert --set channels.email.address=cart@example.com");
  await json("contacts cart set cart@example.com -f -", [], JSON.stringify({ cartitems: [line] }));
  await json("contacts cart add cart@example.com -f -", [], JSON.stringify(line));
  await json("contacts cart update cart@example.com --set cartID=C-1");
  await json("contacts cart remove cart@example.com p 1");
  await json("contacts cart remove cart@example.com p 1 s");
  expect(await json("contacts cart get cart@example.com")).toMatchObject({ cartID: "C-1", items: [{ qty: 2 }] });
  await json("contacts cart clear cart@example.com --yes");
  expect((await json("contacts cart get cart@example.com")).items).toEqual([]);
});

test("a list is made, renamed, counted, cleared and deleted; its job is shown, canceled and waited for", async () => {
  const { id } = await json("lists create spring --enhanced");
  await json(`lists rename ${id} summer`);
  expect(await json(`lists get ${id}`)).toEqual({ id, name: "summer", enhanced: true });
  expect(await json("lists ls --name summer")).toMatchObject([{ id }]);
  expect(await json(`lists count ${id}`)).toEqual({ count: 0 });
  const { jobId } = await json(`lists clear ${id} --yes`);
  expect((await headwater(`jobs wait ${jobId} --timeout 0`)).code).toBe(1);
  await json(`jobs cancel ${jobId} --yes`);
  expect(await json("jobs ls --status Canceled --fields id")).toEqual([{ id: jobId }]);
  expect(await json(`jobs get ${jobId} --include statistic`)).toMatchObject({ statistic: { attempts: 0 } });
  expect(await json(`jobs rejections ${jobId}`)).toEqual([]);
  const waited = await headwater(`jobs wait ${jobId} --json`);
  expect([waited.code, JSON.parse(waited.out).status]).toEqual([7, "Canceled"]);
  await json(`lists delete ${id} --yes`);
  expect(await codeOf(`lists get ${id}`)).toBe(4);
});

test("an attribute is defined, changed, counted by value and deleted", async () => {
  await json("attributes create plan --type string");
  await json("attributes update plan --name Plan");
  expect(await json("attributes get plan")).toMatchObject({ name: "Plan", type: "string" });
  expect((await headwater("attributes ls --type string -o csv --fields key")).out).toBe("key\nplan\n");
  expect(await json("attributes values plan --limit 3")).toMatchObject({ data: [] });
  await json("attributes delete plan --yes");
  expect(await codeOf("attributes get plan")).toBe(4);
});

test("orders and products are added, changed, listed and deleted", async () => {
  await json("contacts upsert --set channels.email.address=buyer@example.com");
  const items = [{ productID: "p1", sku: "s", name: "Lamp", qty: 2, itemPrice: "2.50" }];
  const order = { orderID: "o 1", purchaseDate: "2026-01-09", email: "buyer@example.com", items };
  await json("orders create -f -", [], JSON.stringify(order));
  await json("orders update", ["o 1", "--set", "status=paid"]);
  expect(await json("orders get", ["o 1"])).toMatchObject({ status: "paid", totalAmount: 5 });
  const { out } = await headwater(
    "orders ls --email buyer@example.com --on 2026-01-09 --all -o csv --fields orderID,status",
  );
  expect(out).toBe("orderID,status\no 1,paid\n");
  await json("orders delete --yes", ["o 1"]);
  expect(await json("orders ls --since 2026-01-01")).toEqual([]);

  await json("products create --set productID=p1 --set productName=Lamp --set price=2.5");
  await json("products update p1 --set-json inStock=false");
  expect(await json("products get p1")).toMatchObject({ price: 2.5, inStock: false });
  expect(await json("products ls --fields productID")).toEqual([{ productID: "p1" }]);
  await json("products delete p1 --yes");
  expect(await codeOf("products get p1")).toBe(4);
});

test("a supplement, its records and an include are made, changed, listed and deleted", async () => {
  await json("supplements create cars", ["--set-json", 'indexes=[{"field":"model","type":"string"}]']);
  await json("supplements update cars --set name=Vehicles");
  expect(await json("supplements get cars")).toMatchObject({ name: "Vehicles", indexes: [{ field: "model" }] });
  expect(await json("supplements ls --fields key")).toEqual([{ key: "cars" }]);
  await json("supplements records add cars --set id=1 --set model=A");
  await json("supplements records put cars 1 --set-json year=2020");
  expect(await json("supplements records get cars 1")).toMatchObject({ model: "A", year: 2020 });
  expect(await json("supplements records ls cars --sort id --order desc --fields id,year")).toEqual([
    { id: "1", year: 2020 },
  ]);
  await json("supplements records rm cars 1 --yes");
  expect(await json("supplements clear cars --yes")).toMatchObject({ jobId: expect.any(String) });
  await json("supplements delete cars --yes");
  expect(await codeOf("supplements get cars")).toBe(4);

  await json("includes create foot --content", ["<p>a b</p>"]);
  await json("includes update foot --name Foot");
  expect(await json("includes get foot")).toMatchObject({ content: "<p>a b</p>", name: "Foot" });
  expect(await json("includes ls --key foot --fields key")).toEqual([{ key: "foot" }]);
  await json("includes delete foot --yes");
  expect(await codeOf("includes get foot")).toBe(4);
});

test("a template is sent to one recipient and as a test, and a suppressed address is refused until that is lifted", async () => {
  const smtp = JSON.stringify({ settings: { host: "mail.example.com" } });
  await json("transports create --name Mail --channel email --type smtp --set-json default=true -f -", [], smtp);
  const headers = { subject: "Order {{ n }}", fromEmail: "shop@example.com", fromDesc: "Shop" };
  const message = { headers, content: { "text/html": "<p>{{ n }}</p>" } };
  const body = { name: "Order", baseAggregation: "daily", classification: "transactional", message };
  await json("templates create order --channel email -f -", [], JSON.stringify(body));
  const send = async (words: string) => (await json(words)).messagecontacts[0];
  expect(await send("templates send order --to buyer2@example.com --set mergeData.n=7 --yes")).toMatchObject({
    accepted: true,
  });
  const { id } = await json("suppressions add --address buyer2@example.com --note asked");
  expect(await send("templates senddraft order --to buyer2@example.com")).toMatchObject({ error: "suppressed" });
  expect(await json("suppressions ls --address buyer2@example.com")).toMatchObject([{ id, reason: "manual" }]);
  await json(`suppressions rm ${id} --yes`);
  expect(await codeOf(`suppressions rm ${id} --yes`)).toBe(4);
  expect(await send("templates senddraft order --to buyer2@example.com")).toMatchObject({ accepted: true });
  expect(await json("templates sends order --state pending")).toMatchObject([{ address: "buyer2@example.com" }]);
  expect(await json("templates render order buyer2@example.com --draft")).toMatchObject({
    headers: { subject: "Order" },
  });
});

test("events are logged and listed, audiences counted, explained, checked and compared", async () => {
  await json("contacts upsert --set channels.email.address=seen@example.com");
  expect((await json("events log browse --email seen@example.com --set properties.page=/a")).success).toBe(true);
  expect(service.log.appended.length).toBe(1);
  expect(await json("events ls --action browse --since 2026-01-09")).toEqual([]);
  expect((await headwater("events tail --for 0 -o ndjson")).code).toBe(0);
  const everybody = '{"and":[]}';
  expect(await json("audiences count -f -", [], everybody)).toMatchObject({ count: 0 });
  expect(await json("audiences explain -f - --basis event", [], everybody)).toMatchObject({
    explain: expect.any(Array),
  });
  expect(await json("audiences validate -f -", [], everybody)).toEqual({ valid: true });
  const wrong = await headwater(
    "audiences validate -f -",
    [],
    '{"field":"attributes.country","op":"equals","value":1}',
  );
  expect([wrong.code, wrong.said]).toEqual([5, expect.stringContaining("/op: ")]);
});

const DAY = 86_400_000;

/** Stores what the history group and the sink would: Ann moves from basic to pro, Bob is pro, Cem comes later as pro; Ann and Cem buy something. */
async function seedPlans(account: Account): Promise<void> {
  const { postgres, insert } = service;
  await postgres.execute({ text: "UPDATE intake.accounts SET created_at = to_timestamp($1) WHERE number = $2" }, [
    (AT - DAY) / 1_000,
    account.number,
  ]);
  await ensureAttributes(postgres, [{ account: account.number, key: "plan" }], AT);
  const later = AT + 10 * DAY;
  const contacts = [AT, AT, later].map((at, index) => {
    const times = { created_at: storedTime(at), modified_at: storedTime(at), version: versionAt(at) };
    return { contact: index + 1, cid: cid(index + 1), merged_into: 0, deleted: 0, revision: 1, ...times };
  });
  await insert("contacts_current", account, contacts);
  const wrote = (contact: number, text: string, at: number) => {
    const written = { kind: "string", number: null, version: versionAt(at) };
    return { row: { contact, field: "attributes.plan", text, ...written }, at: storedTime(at) };
  };
  const plans = [wrote(1, "basic", AT), wrote(1, "pro", later), wrote(2, "pro", AT), wrote(3, "pro", later)];
  await insert(
    "contact_fields_history",
    account,
    plans.map(({ row, at }) => ({ ...row, at })),
  );
  await insert(
    "contact_fields_current",
    account,
    plans.map(({ row }, index) => ({ ...row, revision: index + 1 })),
  );
  await insert("activities", account, [
    loggedActivity(1, { offset: DAY }, { action: "bought" }),
    loggedActivity(3, { offset: 11 * DAY }, { action: "bought" }),
  ]);
}

test("audiences diff counts both sides at the moment of --as-of, as recorded and by events", async () => {
  const { account } = await service.account();
  await seedPlans(account);
  const env = { ...fallback, HEADWATER_API_KEY: await service.key(account, { scopes: ["read"] }) };
  const folder = await mkdtemp(join(tmpdir(), "headwater-cli-"));
  const [pro, bought] = [join(folder, "pro.json"), join(folder, "bought.json")];
  await writeFile(pro, '{"field":"attributes.plan","op":"eq","value":"pro"}');
  await writeFile(bought, '{"event":"bought"}');
  const diff = async (...more: string[]) => {
    const { code, out, said } = await headwater("audiences diff", [pro, bought, "--json", ...more], "", env);
    expect([code, said]).toEqual([0, ""]);
    return JSON.parse(out).map(({ count }: { count: number }) => count);
  };
  expect(await diff()).toEqual([1, 0, 2]);
  const then = new Date(AT + 5 * DAY).toISOString();
  expect(await diff("--as-of", then)).toEqual([1, 1, 0]);
  expect(await diff("--as-of", then, "--basis", "event")).toEqual([2, 0, 1]);
  await rm(folder, { recursive: true });
});

test("the export of a profile starts its job; whoami, api and a refused key answer as the service does", async () => {
  await json("contacts upsert --set channels.email.address=own@example.com");
  const exported = await headwater("export profile own@example.com --timeout 0");
  expect([exported.code, exported.said]).toEqual([1, expect.stringContaining("ask again later")]);
  expect(await json("whoami")).toMatchObject({ name: "test", key: "HEADWATER_API_KEY" });
  expect((await headwater("api GET /v2/jobs?jobName=ExportContactProfile")).out).toContain('"Pending"');
  expect((await headwater("whoami", [], "", { ...fallback, HEADWATER_API_KEY: "hw_wrong" })).code).toBe(3);
});
