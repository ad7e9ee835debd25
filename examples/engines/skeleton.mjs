// A Skat engine for `skatspec conform run`, to begin your own with: Node 18 or later, no
// dependency. It answers one task, `legal`, and skips the others. Where your engine goes:
// ENGINE, and a function for each task in TASKS. `skatspec conform run -- node skeleton.mjs`
// asks it.

// <- your engine: its name and its own version, not the protocol's.
const ENGINE = { name: "skeleton", version: "1", language: "JavaScript" };

// The rule profiles you can be asked under (`skatspec rules list` has them all). Of the others
// every case is skipped. This engine reads the tables, so it could name any of them.
const RULES = ["isko", "isko-2015", "ledger", "iss", "primer", "table-match"];

// Thrown where the engine cannot do a case; the text says why, to people.
class Skip extends Error {}

// Says which cards may be played to a led one, or who wins a trick and what is in it.
function legal(given, tables) {
  const number = (name) => tables.cards.indexOf(name);
  const contract = tables.contracts.indexOf(given.contract);
  const follow = tables.follow[contract]; // the class of each card: a suit, or trump
  if (given.trick) {
    const trick = given.trick.map(number);
    const strength = tables.beats[contract][follow[trick[0]]]; // by the class that was led
    const strengths = trick.map((card) => strength[card]);
    const points = trick.reduce((sum, card) => sum + tables.points[card], 0);
    return { winner: strengths.indexOf(Math.max(...strengths)) + 1, points };
  }
  const led = follow[number(given.led)];
  const following = given.hand.filter((name) => follow[number(name)] === led);
  return { cards: (following.length ? following : [...given.hand]).sort() };
}

// Skips a case: it counts neither for nor against the engine, and the report shows why.
function notYet() {
  throw new Skip("not written yet");
}

// <- your engine: a function for each task. A task that is not here is never asked, and the
// report says no more than that; name it, and you can say what is missing.
const TASKS = new Map([
  ["legal", legal], ["perft", notYet], ["settle", notYet], ["check", notYet], ["list", notYet],
]);

let tables = null; // kept from one `rules` to the next

function answer(said) {
  switch (said.cmd) {
    case "start":
      return { protocol: 1, engine: ENGINE, rules: RULES, tasks: [...TASKS.keys()] };
    case "rules":
      // <- your engine: where it has these rules of its own, look at said.name; what it cannot
      // play is { skipped: true, message: "..." } here too
      tables = said.tables;
      return { ok: true };
    case "run": {
      const task = TASKS.get(said.task);
      if (!tables) throw new Error("a case before any rules");
      if (!task) throw new Skip(`no task ${said.task}`);
      return { seq: said.seq, result: task(said.input, tables) };
    }
  }
  throw new Error(`unknown message ${said.cmd}`);
}

// Yields the lines of a stream as bytes. Node's own `readline` also ends a line at U+2028 and
// U+2029, which may stand inside a JSON text: a message with such a name would fall apart.
async function* linesOf(stream) {
  let parts = [];
  for await (let chunk of stream) {
    for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
      yield Buffer.concat([...parts, chunk.subarray(0, end)]);
      parts = [];
    }
    parts.push(chunk);
  }
  const rest = Buffer.concat(parts);
  if (rest.length) yield rest;
}

// A line is answered with a line until `stop`, or until the input ends. Nothing else may go to
// stdout: `console.log` is for the answers, `console.error` for you. Whatever is wrong with a
// message is answered too, as an `error`: an engine that dies takes the run's time.
const utf8 = new TextDecoder("utf-8", { fatal: true });
for await (const line of linesOf(process.stdin)) {
  let said = null;
  let reply;
  try {
    said = JSON.parse(utf8.decode(line));
    if (said === null || typeof said !== "object" || Array.isArray(said)) {
      throw new Error("the message is no JSON object");
    }
    if (said.cmd === "stop") break;
    reply = answer(said);
  } catch (error) {
    const seq = Number.isSafeInteger(said?.seq) && said.seq >= 0 ? said.seq : 0;
    reply = error instanceof Skip
      ? { seq, skipped: true, message: error.message }
      : { seq, error: { message: `${error}`.slice(0, 500) } };
  }
  // Node writes to a pipe at once; never `process.exit()` behind it, which cuts what is left.
  console.log(JSON.stringify(reply));
}
