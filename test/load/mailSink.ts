import { SMTPServer } from "smtp-server";
import { serveTasks } from "./processes/serveTasks.ts";
import { mailSinkTask } from "./tasks/messageTasks.ts";

/** Process: a mail server that takes everything, and knows when. */
let mails = 0;
let to: string[] = [];
let at: number[] = [];

const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, session, done) {
    stream.resume();
    stream.once("end", () => {
      mails += 1;
      to.push(session.envelope.rcptTo[0]?.address ?? "");
      at.push(performance.timeOrigin + performance.now());
      done();
    });
  },
});
// Senders that end close their connections as they are.
server.on("error", () => undefined);

serveTasks(async (task) => {
  switch (mailSinkTask.parse(task).kind) {
    case "listen":
      return listen();
    case "count":
      return { mails };
    case "take": {
      const taken = { to, at: Float64Array.from(at) };
      [to, at] = [[], []];
      return taken;
    }
  }
});

function listen(): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      if (address === null || typeof address === "string") reject(new Error("a listening server has a port"));
      else resolve({ port: address.port });
    });
  });
}
