import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type AlertMailPorts, deliverAlertMails } from "@headwater/automation/alerts/deliverMails";
import {
  type EvaluationOutcome,
  type EvaluationPorts,
  evaluateAlerts,
} from "@headwater/automation/alerts/evaluateAlerts";
import { deliverEvents } from "@headwater/automation/webhooks/deliverEvents";
import type { Account } from "@headwater/contracts";
import { createMailer } from "@headwater/jobs/notices/mailer";
import { createOutbound, createSealer, type ManualClock, manualClock } from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { SMTPServer } from "smtp-server";
import { type Running, startService, storedTime } from "../../service/running.ts";
import { logger } from "../../stores/fresh.ts";

const FROM = "Headwater <ops@headwater.example>";
export const MINUTE = 60_000;
/** Some seconds into a minute, three hours ago. */
export const AT = Math.floor(Date.now() / MINUTE - 180) * MINUTE + 20_000;

const SETTINGS = {
  ...{ transportID: null, scheduleType: "account", trackLinks: "enabled", trackOpens: true, priority: 2, bcc: null },
  ...{ bccEnabled: false, vanityDomainKey: null, strict: false, onUnknown: null, allowEmpty: false, perMinute: null },
  ...{ classification: "promotional", entry: {}, tests: [] },
};

/** A mail server that keeps what it got. */
export interface MailServer {
  readonly port: number;
  readonly mails: { readonly to: string; readonly raw: string }[];
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address).join();
        mails.push({ to, raw: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address: AddressInfo | string | null = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, mails, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** An activity about a message. */
export interface Happened {
  readonly action: string;
  /** Minutes before or after the first one. */
  readonly at: number;
  readonly contact: number;
  readonly properties?: object;
}

/** The service with alerts, and a process that evaluates and delivers. */
export interface AlertWorld {
  readonly service: Running;
  readonly clock: ManualClock;
  readonly evaluation: EvaluationPorts;
  owner(settings?: object): Promise<{ readonly account: Account; readonly key: string }>;
  createMessage(account: Account, name?: string): Promise<string>;
  happen(account: Account, message: string, ...happened: readonly Happened[]): Promise<void>;
  /** Evaluates, then posts and mails what is due. */
  work(): Promise<void>;
  advance(minutes: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startAlertWorld(mailServer: MailServer): Promise<AlertWorld> {
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  const sealer = createSealer([Buffer.alloc(32, 7)]);
  const clock = manualClock(AT);
  const service = await startService({ sealer, outbound, transportOutbound: outbound });
  const { postgres, clickHouse } = service;
  const shared = { postgres, clock, logger };
  const renders = createRenderer();
  const handovers = createHandovers(postgres, createTransportOpener({ outbound, sealer, renders, clock, logger }));
  const outcomes: EvaluationOutcome[] = [];
  const evaluation: EvaluationPorts = {
    ...{ ...shared, clickHouse, storesAsOf: () => clock.nowMs() },
    onEvaluated: (outcome) => void outcomes.push(outcome),
    onNotice: () => undefined,
  };
  const mailing: AlertMailPorts = {
    ...{ ...shared, renders, handovers, from: FROM, onOutcome: () => undefined },
    sendMail: createMailer({ url: `smtp://127.0.0.1:${mailServer.port}`, from: FROM }),
  };
  const work = async () => {
    await evaluateAlerts(evaluation);
    if (outcomes.includes("failed")) throw new Error("an evaluation has failed");
    await deliverAlertMails(mailing);
    await deliverEvents({ ...shared, outbound, sealer, onOutcome: () => undefined });
  };
  return {
    ...{ service, clock, evaluation, work },
    async owner(settings) {
      const { account } = await service.account(settings);
      return { account, key: await service.key(account, { scopes: ["read", "write", "admin"] }) };
    },
    async createMessage({ number }, name = "Sale") {
      const id = randomUUID().replaceAll("-", "").slice(0, 24);
      const text = `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at)
        VALUES ($1, $2, 'email', 'sent', $3, 0, 0)`;
      await postgres.execute({ text }, [number, id, JSON.stringify({ ...SETTINGS, name })]);
      return id;
    },
    async happen(account, message, ...happened) {
      const rows = happened.map(({ action, at, contact, properties = {} }) => {
        const time = storedTime(AT + at * MINUTE);
        const uid = randomUUID();
        const mcId = `${account.id}:${message}:b:c${contact}:1`;
        return {
          contact,
          action,
          time,
          ingested: time,
          uid,
          record: uid,
          mc_id: mcId,
          properties: JSON.stringify(properties),
        };
      });
      await service.insert("activities", account, rows);
    },
    async advance(minutes) {
      clock.advance(minutes * MINUTE);
      await work();
    },
    async stop() {
      await handovers.close();
      await renders.close();
      await outbound.close();
      await service.stop();
    },
  };
}
