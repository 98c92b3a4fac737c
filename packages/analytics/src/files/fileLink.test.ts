import { expect, test } from "vitest";
import { fileLink, isValidLink, type LinkInput } from "./fileLink.ts";

const ID = "a".repeat(24);
const DAY_MS = 86_400_000;

function input(link: string): LinkInput {
  const url = new URL(link, "http://localhost");
  const id = url.pathname.split("/").at(-1) ?? "";
  return { id, expires: Number(url.searchParams.get("expires")), signature: url.searchParams.get("signature") ?? "" };
}

test("a link is valid for a day, for its file and with its secret alone", () => {
  const link = input(fileLink(ID, "secret", 1_000));
  expect(isValidLink(link, "secret", 1_000 + DAY_MS - 1)).toBe(true);
  expect(isValidLink(link, "secret", 1_000 + DAY_MS)).toBe(false);
  expect(isValidLink({ ...link, id: "b".repeat(24) }, "secret", 1_000)).toBe(false);
  expect(isValidLink({ ...link, expires: link.expires + 1 }, "secret", 1_000)).toBe(false);
  expect(isValidLink(link, "another", 1_000)).toBe(false);
  expect(isValidLink({ ...link, signature: "" }, "secret", 1_000)).toBe(false);
});
