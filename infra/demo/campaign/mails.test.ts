import { expect, test } from "vitest";
import { linksOf, mailboxUrl } from "./mails.ts";

const at = "http://127.0.0.1:8450/t";
const html = `<p>Caf=C3=A9</p><a class=3D"x" href=3D"${at}/c/AAAA-_bb=
CC" data-name=3D"again">Again</a><a href=3D"mailto:a@example.com">mail</a><a href=3D"${at}/u/UU">Unsubscribe</a>
<a href=3D"${at}/c/HIDDEN" style=3D"display:none" tabindex=3D"-1"></a><img src=3D"${at}/o/OO" width=3D"1">`;

test("a reader finds the pixel, the links that people see and the way out, in a quoted-printable mail", () => {
  expect(linksOf(html)).toEqual({ pixel: `${at}/o/OO`, links: [`${at}/c/AAAA-_bbCC`], unsubscribe: `${at}/u/UU` });
});

test("a mail without tracking has none of them", () => {
  expect(linksOf("Subject: Hello")).toEqual({ pixel: undefined, links: [], unsubscribe: undefined });
});

test("an address stands in the path of its mailbox as one segment", () => {
  expect(mailboxUrl("http://127.0.0.1:8454", "a/b@example.com")).toBe(
    "http://127.0.0.1:8454/api/user/a%2Fb%40example.com/messages",
  );
});
