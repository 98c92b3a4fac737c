import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

const KEY = Buffer.from("a secret of thirty-two characters");
const SECRET = `whsec_${KEY.toString("base64")}`;
const BODY = '{"type":"job.done","data":{"name":"Zürich"}}';
const file = join(mkdtempSync(join(tmpdir(), "headwater-verify-")), "body.json");
writeFileSync(file, BODY);

const verify = async (secret: string, args: readonly string[]) => {
  await using command = createTestCommand(await startStubApi(() => ({ status: 200, body: {} })));
  return command.run(["webhooks", "verify", "-f", file, ...args], {}, { HEADWATER_WEBHOOK_SECRET: secret });
};
const hmac = (text: string, key: string | Buffer = KEY) => createHmac("sha256", key).update(text).digest("base64");
const signature = (id = "msg_1", timestamp = "1767998832") => `v1,${hmac(`${id}.${timestamp}.${BODY}`)}`;
const named = ["--id", "msg_1", "--timestamp", "1767998832"];

test("the signature of a webhook is right by one of the signatures, and wrong for another secret, id or time", async () => {
  expect((await verify(SECRET, [...named, "--signature", signature()])).code).toBe(0);
  expect((await verify(SECRET, [...named, "--signature", `v1,AAAA ${signature()}`])).code).toBe(0);
  for (const wrong of [signature("msg_2"), signature("msg_1", "1767998833"), "v1,", "v1,AAAA", ""])
    expect(await verify(SECRET, [...named, "--signature", wrong])).toMatchObject({
      code: 1,
      out: "The signature is wrong.\n",
    });
  expect((await verify(`whsec_${hmac("other")}`, [...named, "--signature", signature()])).code).toBe(1);
});

test("a secret that was cut is no secret", async () => {
  expect((await verify(SECRET.slice(0, -4), [...named, "--signature", signature()])).code).toBe(1);
  expect((await verify("", [...named, "--signature", signature()])).code).toBe(2);
});

test("signatures of partners are verified as they compute them", async () => {
  const listsync = `ts:1767998832000,hmac:${hmac(`1767998832000${BODY}`, "shared")}`;
  expect((await verify("shared", ["--kind", "listsync", "--signature", listsync])).code).toBe(0);
  expect((await verify("other", ["--kind", "listsync", "--signature", listsync])).code).toBe(1);
  const subscription = createHash("sha256").update(`shared${BODY}`).digest("hex");
  expect((await verify("shared", ["--kind", "subscriptionsync", "--signature", subscription])).code).toBe(0);
  expect((await verify("other", ["--kind", "subscriptionsync", "--signature", subscription])).code).toBe(1);
});

test("a webhook is not verified without its id and time", async () => {
  expect((await verify(SECRET, ["--signature", signature()])).code).toBe(2);
});
