import { openSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { FromServer, SmtpCommand, SmtpRule, SmtpServerOptions, ToServer } from "./smtpRules.ts";

/** Members of smtp-server's connections that this server takes hold of. */
interface Connection {
  id: string;
  _socket: Socket;
  init(): void;
  _setListeners(done: () => void): void;
  connectionReady(next?: () => void): void;
  send(code: number, text: string, context?: string | false): void;
  _onCommand(command: Buffer | string, done?: () => void): void;
}
type Done = (error?: Error | null, text?: string) => void;

const HEAD_BYTES = 65_536;
/** The first tracked link, where lines are joined that quoted-printable has broken. */
const LINK = /https?:\/\/[\w.:-]+\/t\/c\/[\w-]+/;
const options: SmtpServerOptions = JSON.parse(process.argv[2] ?? "{}");
const file = openSync(options.file, "a");
let rules: { readonly rule: SmtpRule; left: number }[] = [];
let connections = 0;
let mails = 0;
const open = new Map<string, Connection>();

function ruleFor(command: string, line = ""): SmtpRule | undefined {
  const found = rules.find(({ rule, left }) => {
    return rule.command === command && left > 0 && line.toLowerCase().includes((rule.to ?? "").toLowerCase());
  });
  if (found === undefined) return undefined;
  found.left -= 1;
  return found.rule;
}

/** Does what a rule says, and `otherwise` what the server would do. */
function act(connection: Connection, rule: SmtpRule | undefined, otherwise: () => void, done: () => void): void {
  const action = rule?.action;
  switch (action?.kind) {
    case "answer":
      connection.send(action.code, action.text ?? "as the test has it", false);
      setImmediate(done);
      return;
    case "reset":
      connection._socket.resetAndDestroy();
      return;
    case "hang":
      return;
    case "drip":
      drip(connection._socket, action.msPerByte);
      otherwise();
      return;
    case undefined:
      otherwise();
  }
}

function drip(socket: Socket, msPerByte: number): void {
  const write = socket.write.bind(socket);
  const bytes: Buffer[] = [];
  const timer = setInterval(() => {
    const byte = bytes.shift();
    if (byte !== undefined) write(byte);
  }, msPerByte);
  socket.once("close", () => clearInterval(timer));
  Object.assign(socket, {
    write(text: string | Buffer) {
      for (const byte of Buffer.from(text)) bytes.push(Buffer.of(byte));
      return true;
    },
  });
}

/** smtp-server's own set of connections: whatever comes in is watched. */
class Connections extends Set<Connection> {
  override add(connection: Connection): this {
    connections += 1;
    open.set(connection.id, connection);
    // Without the tenth of a second in which smtp-server waits for early talkers.
    connection.init = () => connection._setListeners(() => connection.connectionReady());
    const ready = connection.connectionReady.bind(connection);
    connection.connectionReady = () => act(connection, ruleFor("CONN"), ready, () => undefined);
    const onCommand = connection._onCommand.bind(connection);
    connection._onCommand = (command, done = () => undefined) => {
      const line = command.toString();
      // Whoever is refused EHLO says HELO.
      const verb = line.split(" ")[0]?.toUpperCase().replace("HELO", "EHLO") ?? "";
      act(connection, ruleFor(verb, line), () => onCommand(command, done), done);
    };
    return super.add(connection);
  }
}

async function take(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
  let head = "";
  for await (const chunk of stream) if (head.length < HEAD_BYTES) head += chunk.toString("latin1");
  const rule = ruleFor("DOT" satisfies SmtpCommand);
  const action = rule?.action;
  const isTaken = action === undefined || action.kind === "drip" || ("accepted" in action && action.accepted === true);
  if (isTaken) keep(head, session);
  const connection = open.get(session.id);
  if (connection === undefined) return;
  if (action?.kind === "answer")
    return done(Object.assign(new Error(action.text ?? "no"), { responseCode: action.code }));
  act(
    connection,
    rule,
    () => done(null, "2.0.0 taken"),
    () => undefined,
  );
}

function keep(head: string, session: SMTPServerSession): void {
  mails += 1;
  const [, id = ""] = /^message-id:\s*(\S+)/im.exec(head) ?? [];
  const [link = ""] = LINK.exec(head.replaceAll("=\r\n", "")) ?? [];
  writeSync(file, `${id} ${session.envelope.rcptTo.map(({ address }) => address).join(",")} ${link} ${Date.now()}\n`);
}

const { certificate, secure = false, password, sizeMax, without = [] } = options;
const server = new SMTPServer({
  ...certificate,
  ...(sizeMax !== undefined && { size: sizeMax }),
  secure,
  logger: false,
  disableReverseLookup: true,
  allowInsecureAuth: true,
  hideENHANCEDSTATUSCODES: true,
  hidePIPELINING: without.includes("PIPELINING"),
  disabledCommands: [
    ...(certificate === undefined ? ["STARTTLS"] : []),
    ...(password === undefined ? ["AUTH"] : []),
    ...without,
  ],
  onAuth: (auth, _session, done) =>
    auth.password === password ? done(null, { user: "test" }) : done(new Error("5.7.8 wrong password")),
  onData: (stream, session, done) => void take(stream, session, done).catch(done),
  onClose: ({ id }) => void open.delete(id),
});
Object.assign(server, { connections: new Connections() });
// Connections that tests cut are no news.
server.on("error", () => undefined);

const send = (message: FromServer) => process.send?.(message);
process.on("message", (message: ToServer) => {
  if (message.kind === "counts") return send({ kind: "counts", connections, mails });
  rules = message.rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
  return send({ kind: "ruled" });
});
process.on("disconnect", () => process.exit());
const listener = server.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  if (address !== null && typeof address !== "string") send({ kind: "listening", port: address.port });
});
