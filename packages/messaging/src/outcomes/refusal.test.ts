import { expect, test } from "vitest";
import { refusalOf } from "./refusal.ts";

const meaningOf = (text: string, ...enhanced: readonly string[]) => {
  const refusal = refusalOf({ enhanced, text });
  return refusal.kind === "soft" ? refusal.bounce : refusal.kind;
};

test.each([
  ["5.1.7 Invalid address", "5.1.7"],
  ["5.1.8 Sender address rejected: Domain not found", "5.1.8"],
  ["5.7.1 refused", "5.7.1"],
  ["550 5.1.0 Sender denied", "5.1.0"],
  ["550 relaying denied"],
  ["550 relay not permitted"],
  ["550 Sender verify failed"],
  ["553 sorry, your mail server is rejected: 192.0.2.1 is listed in our RBL"],
  ["554 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"],
  ["550 See https://www.spamhaus.org/query/ip/192.0.2.1"],
  ["550 Message looks like junk"],
  ["550 This mail was classified as SPAM"],
  ["550 5.1.1 Your IP has a poor reputation", "5.1.1"],
  ["SMTP error after MAIL FROM:<a@shop.example>: 553 5.1.0 shop.example does not exist", "5.1.0"],
  ["550 5.2.1 The user is receiving mail at a rate that prevents additional messages", "5.2.1"],
  ["552 Too many recipients"],
  ["550 Too many invalid recipients"],
  ["550 Administrative prohibition"],
  ["550 Verification failed for <news@shop.example>"],
  ["550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients", "5.1.90"],
  ["550 5.4.5 Daily user sending limit exceeded", "5.4.5"],
  ["553 sorry, that domain isn't in my list of allowed rcpthosts"],
  ["550 Greylisted, please try again later"],
  ["550 192.0.2.1 is not allowed to send mail from shop.example"],
  ["550 Your server IP address is in the SpamRATS database, bye"],
  ["550 Connection refused by SpamHaus"],
  ["550 Client host rejected: cannot find your hostname, [192.0.2.1]"],
  ["550 cannot find your reverse hostname"],
  ["550 Protocol violation"],
])("%s is about the sender", (text, ...enhanced) => expect(meaningOf(text, ...enhanced)).toBe("policy"));

test.each([
  ["550 5.1.1 <a@b.example>: Recipient address rejected: User unknown in relay recipient table", "5.1.1"],
  ["host antispam.example.org[192.0.2.1] said: 550 <a@b.example>: User unknown"],
  ["550 No such user at blocked.spam.example"],
  ["host spamhaus.relay.example.org[192.0.2.1] said: 550 User unknown"],
  ['Your message with the subject "Stop spam, no relaying" was refused: 550 User unknown'],
  ["554 delivery error: dd This user doesn't have a yahoo.example account (a@yahoo.example) [-9]"],
  ["The e-mail address you entered couldn't be found."],
  ["The e-mail account does not exist at the organization this message was sent to."],
  ["User ada (ada@example.org) not listed in Domino Directory"],
  ["550 Mailbox unavailable"],
  ["550 5.1.1 gone", "5.1.1"],
  ["550 5.2.1 disabled", "5.2.1"],
  ["The message was returned to the sender: no such mailbox"],
  ["550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [mx.eurprd05.prod.outlook.com]", "5.4.1"],
  ["This address no longer accepts mail."],
  ["all relevant MX records point to non-existent hosts"],
  ["Sorry, I couldn't find any host named exmaple.org. (#5.1.2)", "5.1.2"],
])("%s is about the recipient", (text, ...enhanced) => expect(meaningOf(text, ...enhanced)).toBe("hard"));

test.each([
  ["550 mailbox is full", "full"],
  ["550 5.1.1 user over quota", "full"],
  ["the user's mailfolder is full", "full"],
  ["550 Postfach voll", "full"],
  ["550 Mailbox size limit exceeded", "full"],
  ["550 message too large", "size"],
  ["552 message size exceeds fixed maximum message size", "size"],
  ["552 Message exceeds maximum size", "size"],
  ["550 Rejected", "unsaid"],
  ["Service unavailable", "unsaid"],
  ["the group that you tried to contact may not exist", "unsaid"],
  ["", "unsaid"],
])("%s means %s", (text, meaning) => expect(meaningOf(text)).toBe(meaning));

test("of several codes that of a soft bounce counts", () => {
  expect(meaningOf("5.1.0 - Unknown address error 550-'5.7.1 Access denied'", "5.1.0", "5.7.1")).toBe("policy");
  expect(meaningOf("552 5.2.2 Over quota", "5.1.1", "5.2.2")).toBe("full");
});
