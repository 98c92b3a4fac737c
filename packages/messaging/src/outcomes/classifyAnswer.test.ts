import { expect, test } from "vitest";
import { classifyAnswer, type SmtpAnswer } from "./classifyAnswer.ts";

const deferred = { kind: "deferred", slowsDown: false };
const slower = { kind: "deferred", slowsDown: true };
const hard = { kind: "hard-bounce" };
const ours = { kind: "transport-failure" };
const definite = { ...ours, isDefinite: true };
const soft = (bounce: string) => ({ kind: "soft-bounce", bounce });

test.each<[SmtpAnswer, object]>([
  [{ step: "DOT", code: 250, text: "2.0.0 queued" }, { kind: "sent" }],
  [{ step: "CONN" }, deferred],
  [{ step: "STARTTLS" }, deferred],
  [{ step: "DATA", dotMayBeOut: false }, deferred],
  [{ step: "DOT", dotMayBeOut: true }, { kind: "unknown" }],
  [{ step: "CONN", code: 421, text: "4.7.0 too many connections" }, slower],
  [{ step: "RCPT", code: 421 }, slower],
  [{ step: "DOT", code: 454 }, slower],
  [{ step: "RCPT", code: 450, text: "4.2.1 greylisted" }, deferred],
  [{ step: "RCPT", code: 452, text: "4.2.2 over quota" }, deferred],
  [{ step: "DOT", code: 451 }, deferred],
  [{ step: "RCPT", code: 550, text: "5.1.1 no such user" }, hard],
  [{ step: "RCPT", code: 550, text: "No such user" }, hard],
  [{ step: "RCPT", code: 550, text: "<a@b.example> 5.1.1: gone" }, hard],
  [{ step: "DOT", code: 550, text: "550-5.1.1 no such user" }, hard],
  [{ step: "DOT", code: 550, text: "Refused as 5.1.1." }, hard],
  [{ step: "RCPT", code: 550, text: "no such user here (from 10.4.9.1)" }, hard],
  [{ step: "RCPT", code: 550, text: "10.4.9.1 says 5.7.1 to it" }, soft("policy")],
  [{ step: "RCPT", code: 554, text: "Service unavailable; Client host [5.1.34.2] blocked" }, soft("policy")],
  [{ step: "RCPT", code: 554, text: "Client host 5.1.34.2. Go away" }, soft("other")],
  [{ step: "DOT", code: 554, text: "refused by mx5.1.1.example" }, soft("other")],
  [{ step: "RCPT", code: 551 }, hard],
  [{ step: "RCPT", code: 553 }, hard],
  [{ step: "RCPT", code: 550, text: "5.2.1 disabled" }, hard],
  [{ step: "DOT", code: 550, text: "5.1.1 no such user" }, hard],
  [{ step: "RCPT", code: 552, text: "5.2.2 mailbox full" }, soft("full")],
  [{ step: "DOT", code: 552, text: "5.3.4 too big" }, soft("size")],
  [{ step: "DOT", code: 552, text: "5.2.3 too big for this mailbox" }, soft("size")],
  [{ step: "DOT", code: 554, text: "5.7.1 blocked" }, soft("policy")],
  [{ step: "RCPT", code: 550, text: "5.7.26 unauthenticated" }, soft("policy")],
  [{ step: "DOT", code: 550, text: "spam" }, soft("policy")],
  [{ step: "DOT", code: 554 }, soft("other")],
  [{ step: "RCPT", code: 552 }, soft("full")],
  [{ step: "AUTH", code: 535, text: "5.7.8 wrong password" }, definite],
  [{ step: "MAIL", code: 530, text: "5.7.0 must authenticate" }, definite],
  [{ step: "RCPT", code: 530 }, definite],
  [{ step: "MAIL", code: 550, text: "5.1.8 bad sender" }, definite],
  [{ step: "EHLO", code: 554 }, definite],
  [{ step: "CONN", code: 554, text: "5.7.1 go away" }, ours],
])("%j means what section 6 of the rules says", (answer, outcome) => {
  expect(classifyAnswer(answer)).toEqual(outcome);
});
