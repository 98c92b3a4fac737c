/** One line of progress. @param {string} line */
export function say(line) {
  process.stdout.write(`headwater: ${line}\n`);
}
