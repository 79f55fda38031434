// mod/test/register.test.js - the compiled module under a provider made of paper: node register.test.js REGISTER.JS VECTORS.JSON
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');

const { register } = require(require('node:path').resolve(process.argv[2]));
const vectors = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));

// One loaded mod: what it asked for, and ways to send it events.
function load({ supervised = true, session: overrides = {} } = {}) {
  const handlers = {};
  const seen = { asks: [], toasts: [], looked: [], supervised };
  const session = {
    session: { root: () => '/repo' },
    fs: { exists: (path) => (seen.looked.push(path), seen.supervised) },
    ui: { toast: (text) => void seen.toasts.push(text) },
    prompt: { submit: ({ text }) => void seen.asks.push(text) },
    ...overrides,
  };
  register((name, ...rest) => {
    handlers[name] = rest[rest.length - 1];
    if (name === 'tool.call') assert.deepStrictEqual(rest[0], { tool: 'Bash' });
  });
  assert.deepStrictEqual(Object.keys(handlers).sort(), ['session.measure', 'tool.call']);
  async function send(name, event, result) {
    let passed;
    const copy = JSON.stringify(event);
    const answer = await handlers[name](session, event, async (e) => ((passed = e), result));
    assert.strictEqual(passed, event, 'the event is passed on itself');
    assert.strictEqual(JSON.stringify(event), copy, 'and unchanged');
    assert.strictEqual(answer, result, 'and so is the answer');
  }
  const measure = (tokens, window) => send('session.measure', { context: { tokens, window } }, { some: 'answer' });
  const bash = (command, result = {}) => send('tool.call', { command }, result);
  return { seen, measure, bash, send };
}

const tests = {
  async 'sequences of the golden vectors'() {
    const known = new Set(['measure', 'handover_written', 'handover_write_failed', 'handover_read', 'supervised',
      'checkpoint_derived', 'continuation_derived']);
    let run = 0, skipped = 0;
    for (const sequence of vectors.sequences) {
      if (sequence.headroom_tokens || !sequence.steps.every((step) => known.has(step.event))) {
        skipped++;
        continue;
      }
      const mod = load({ supervised: sequence.supervised });
      const asks = [];
      for (const [index, step] of sequence.steps.entries()) {
        const before = mod.seen.asks.length;
        if (step.event === 'measure') await mod.measure(step.fill ?? undefined, step.window ?? undefined);
        if (step.event === 'handover_written') await mod.bash('majordomus handover < body.md');
        if (step.event === 'handover_write_failed') await mod.bash('majordomus handover < body.md', { isError: true });
        if (step.event === 'handover_read') await mod.bash('majordomus handover --list');
        if (step.event === 'supervised') mod.seen.supervised = step.value;
        if (mod.seen.asks.length > before) asks.push(index);
      }
      assert.deepStrictEqual(asks, sequence.expected.asks, sequence.name);
      run++;
    }
    assert.ok(run > 0);
    if (skipped) console.log(`skipped: ${skipped} sequences with events that only a transcript shows`);
  },

  async 'lines of the golden vectors'() {
    for (const { window, line, rearm_max: low } of vectors.lines) {
      const mod = load();
      await mod.measure(line - 1, window);
      assert.strictEqual(mod.seen.asks.length, 0, `${window}: below the line`);
      await mod.measure(line, window);
      assert.strictEqual(mod.seen.asks.length, 1, `${window}: at the line`);
      await mod.measure(low + 1, window);
      await mod.measure(line, window);
      assert.strictEqual(mod.seen.asks.length, 1, `${window}: the same window`);
      await mod.measure(low, window);
      await mod.measure(line, window);
      assert.strictEqual(mod.seen.asks.length, 2, `${window}: a new window`);
    }
  },

  async 'commands of the golden vectors'() {
    for (const { command, kind } of vectors.commands) {
      const mod = load();
      await mod.bash(command);
      await mod.measure(150000, 200000);
      assert.strictEqual(mod.seen.asks.length, kind === 'write' ? 0 : 1, command);
    }
  },

  async 'a small window is not asked at once'() {
    const mod = load();
    await mod.measure(15999, 32000);
    assert.strictEqual(mod.seen.asks.length, 0);
    await mod.measure(16000, 32000);
    assert.strictEqual(mod.seen.asks.length, 1);
  },

  async 'the request says what it must'() {
    const mod = load();
    await mod.measure(141000, 200000);
    const lines = mod.seen.asks[0].split('\n');
    assert.strictEqual(lines[0], '[baton:handover-request v1 fill=141000 window=200000 line=140000]');
    for (const words of ['71%', 'compacted', 'branch', '# Objective', '# Current State', '# Next Action',
      'majordomus handover', 'path', 'stop'])
      assert.ok(mod.seen.asks[0].includes(words), words);
    assert.strictEqual(mod.seen.toasts.length, 1);
  },

  async 'the gate is at the root of the session, and looked at again'() {
    const mod = load({ supervised: false });
    await mod.measure(139999, 200000);
    assert.deepStrictEqual(mod.seen.looked, []);
    await mod.measure(140000, 200000);
    assert.deepStrictEqual(mod.seen.looked, ['/repo/.ai/manifest.yaml']);
    mod.seen.supervised = true;
    await mod.measure(150000, 200000);
    assert.strictEqual(mod.seen.asks.length, 1);
  },

  async 'a call that was refused wrote nothing'() {
    const mod = load();
    await mod.bash('majordomus handover < body.md', { deny: 'no' });
    await mod.measure(150000, 200000);
    assert.strictEqual(mod.seen.asks.length, 1);
  },

  async 'two measurements at once ask once'() {
    const mod = load();
    await Promise.all([mod.measure(150000, 200000), mod.measure(151000, 200000)]);
    assert.strictEqual(mod.seen.asks.length, 1);
  },

  async 'inert where the interface lacks something'() {
    for (const event of [{}, { context: {} }, { context: null }, { context: { tokens: 'many', window: 200000 } },
      { context: { tokens: 150000, window: 0 } }, { context: { tokens: 150000.5, window: 200000 } },
      { context: { tokens: -1, window: 200000 } }]) {
      const mod = load();
      await mod.send('session.measure', event, undefined);
      await mod.send('tool.call', event, undefined);
      assert.strictEqual(mod.seen.asks.length, 0, JSON.stringify(event));
    }
    for (const missing of ['session', 'fs', 'ui', 'prompt']) {
      const mod = load({ session: { [missing]: undefined } });
      await mod.measure(150000, 200000);
      assert.strictEqual(mod.seen.asks.length, missing === 'ui' ? 1 : 0, missing);
    }
    const throwing = () => { throw new Error('early access'); };
    const mod = load({ session: { fs: { exists: throwing } } });
    await mod.measure(150000, 200000);
  },

  async 'a prompt that waits for its turn holds no event up'() {
    const mod = load({ session: { prompt: { submit: () => new Promise(() => {}) } } });
    await mod.measure(150000, 200000);
  },

  async 'a prompt that is refused is asked again'() {
    let refuse = true;
    const asks = [];
    const mod = load({ session: { prompt: { submit: async ({ text }) => {
      if (refuse) throw new Error('not now');
      asks.push(text);
    } } } });
    await mod.measure(150000, 200000);
    assert.strictEqual(mod.seen.toasts.length, 0);
    refuse = false;
    await mod.measure(151000, 200000);
    await mod.measure(152000, 200000);
    assert.strictEqual(asks.length, 1);
  },

  async 'what happens while the gate is looked at counts'() {
    for (const [between, wanted] of [
      [(mod) => mod.bash('majordomus handover < body.md'), 0],
      [(mod) => mod.measure(1000, 200000), 0],
      [(mod) => mod.measure(1000, 200000).then(() => void mod.measure(160000, 200000)), 1],
      [(mod) => mod.bash('ls'), 1],
    ]) {
      const gates = [];
      const mod = load({ session: { fs: { exists: () => new Promise((open) => gates.push(open)) } } });
      const first = mod.measure(150000, 200000);
      while (gates.length === 0) await undefined;
      await between(mod);
      for (let i = 0; i < 10; i++) await undefined;
      gates.forEach((open) => open(true));
      await first;
      for (let i = 0; i < 10; i++) await undefined;
      assert.strictEqual(mod.seen.asks.length, wanted, String(between));
    }
  },

  async 'hostile events pass through'() {
    const throwing = (name) => Object.defineProperty({}, name, { enumerable: false, get() { throw new Error(name); } });
    const mod = load();
    await mod.send('session.measure', throwing('context'), undefined);
    await mod.send('tool.call', throwing('command'), undefined);
    await mod.send('tool.call', { command: 'majordomus handover' }, throwing('deny'));
    for (const event of [null, undefined, 0, 'text', []]) {
      await mod.send('session.measure', event, undefined);
      await mod.send('tool.call', event, undefined);
    }
    assert.strictEqual(mod.seen.asks.length, 0);
    register((name) => { if (name === 'session.measure') throw new Error('no such event'); });
    register(() => { throw new Error('no events'); });
  },

  async 'a reload starts over'() {
    const first = load();
    await first.measure(150000, 200000);
    const second = load();
    await second.measure(150000, 200000);
    assert.strictEqual(second.seen.asks.length, 1);
  },
};

process.exitCode = 1; // until all have come to an end: one that waits for ever must not pass
(async () => {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok: ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED: ${name}: ${error.stack}`);
    }
  }
  process.exitCode = failed ? 1 : 0;
})();
