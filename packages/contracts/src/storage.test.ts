import { expect, test } from "vitest";
import { storageShapes } from "./storage.ts";

const azure = { type: "azureblob", account: "headwater", container: "exports", sasToken: "sv=2024&sig=s" };

test.each(["https://blobs.example", "http://127.0.0.1:10000/headwater"])("%s is an endpoint", (endpoint) => {
  expect(storageShapes.azureblob.safeParse({ ...azure, endpoint }).success).toBe(true);
});

test.each([
  "https://blobs.example/?sv=2024&sig=s",
  "https://blobs.example?",
  "https://blobs.example/#sig",
  "https://ann:s@blobs.example",
  "ftp://blobs.example",
  "blobs.example",
])("%s is no endpoint: it is shown, and would show a secret", (endpoint) => {
  const { error } = storageShapes.azureblob.safeParse({ ...azure, endpoint });
  expect(error?.issues).toMatchObject([{ path: ["endpoint"] }]);
});

test.each(["abc", "a-b", "$root", "$web", `a${"-b".repeat(31)}`])("%s is a container", (container) => {
  expect(storageShapes.azureblob.safeParse({ ...azure, container }).success).toBe(true);
});

test.each(["ab", "a--b", "-ab", "ab-", "Abc", "$other", `a${"-b".repeat(31)}c`])("%s is no container", (container) => {
  const { error } = storageShapes.azureblob.safeParse({ ...azure, container });
  expect(error?.issues).toMatchObject([{ path: ["container"] }]);
});
