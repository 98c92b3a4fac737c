import { rename, writeFile } from "node:fs/promises";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { defaultSettings } from "@headwater/contracts";
import { hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import { createTestCertificate } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSecureProcesses } from "./processes.ts";
import { expectRefusedWithinASecond } from "./revocation.ts";
import { basicOf, call } from "./secureCall.ts";

let processes: Awaited<ReturnType<typeof startSecureProcesses>>;
let admin: string;
let [oneIngress, otherIngress, service] = [0, 0, 0];
beforeAll(async () => {
  processes = await startSecureProcesses(["ingress", "ingress", "service"]);
  [oneIngress = 0, otherIngress = 0, service = 0] = processes.ports;
  const account = await createAccount(processes.postgres, { id: newAccountId(), name: "t", settings: defaultSettings });
  admin = newApiKey();
  await createApiKey(processes.postgres, {
    ...{ id: newAccountId(), account: account.number, hash: hashApiKey(admin), prefix: "hw_", name: "admin" },
    scopes: ["read", "write", "admin", "intake"],
  });
});
afterAll(() => processes.stop());

const secure = (port: number, path: string, more: object = {}) =>
  call({ port, path, authority: processes.certificate.cert, ...more });
const ingest = (port: number, key: string, more: object = {}) =>
  secure(port, "/api/upsertContact", {
    method: "POST",
    headers: { "x-api-key": key },
    body: { identifiers: { email: "a@example.com" }, attributes: { n: 1 }, canBeCreated: true },
    ...more,
  });

test("a key made by one process is refused by all of them within a second after one of them revoked it", async () => {
  const created = await secure(service, "/v2/apikeys", {
    method: "POST",
    headers: basicOf(admin),
    body: { name: "producer", scopes: ["intake", "orders:read"] },
  });
  expect(created.status).toBe(201);
  const { id, key } = created.body;
  const uses = [oneIngress, otherIngress].map((port) => async () => (await ingest(port, key)).status);
  const reads = async () => (await secure(service, "/v2/orders", { headers: basicOf(key) })).status;
  await expectRefusedWithinASecond([...uses, reads], async () => {
    const answer = await secure(service, `/v2/apikeys/${id}`, { method: "DELETE", headers: basicOf(admin) });
    expect(answer.status).toBe(200);
  });
});

test("plain HTTP is closed on, a forged header changes nothing, and health and metrics stay plain on the loopback", async () => {
  for (const port of processes.ports) {
    const headers = { "x-api-key": admin, "x-forwarded-proto": "https" };
    await expect(call({ port, path: "/v2/health", headers })).rejects.toThrow();
  }
  for (const port of processes.operationsPorts) {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(await metrics.text()).toMatch(/^headwater_tls_certificate_expires_seconds \d+/m);
  }
});

test("a new certificate is taken by running processes", async () => {
  const next = await createTestCertificate();
  const put = async (file: string, text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  await put(processes.keyFile, next.key);
  await put(processes.certFile, next.cert);
  for (const port of [oneIngress, otherIngress]) {
    const status = () => ingest(port, admin, { authority: next.cert }).then((answer) => answer.status, String);
    await expect.poll(status, { timeout: 20_000 }).toBe(202);
  }
  await expect(ingest(oneIngress, admin)).rejects.toThrow();
});
