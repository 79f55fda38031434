// Written by `baton ask install`, which writes it anew when it differs: changes made here do not last.
//
// Asks the worker for a handover once the context window is nearly full, once per window, and not over a handover that
// was written already. Only where the session's root is supervised. Passes every event on as it came; refuses nothing.
import type { CallEvent, MeasureEvent, Register, Session } from 'claude-code';

const HEADROOM_TOKENS = 60000; // what a turn that writes a handover costs
const MAX_FILL_PERMILLE = 800; // never later than at this share of the window
const REARM_PERMILLE = 500; // of the line: below it the window counts as a new one
const MANIFEST = '.ai/manifest.yaml';
const COMMAND = 'majordomus handover';

interface State {
  asked: boolean;
  written: boolean;
  windows: number; // how many were left behind
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function lineOf(window: number): number {
  const share = Math.floor((window * MAX_FILL_PERMILLE + 500) / 1000);
  const room = window - HEADROOM_TOKENS;
  const half = Math.floor((window + 1) / 2);
  return Math.max(Math.min(share, room), half);
}

function requestText(fill: number, window: number, line: number): string {
  const percent = Math.floor((200 * fill + window) / (2 * window));
  return [
    `[baton:handover-request v1 fill=${fill} window=${window} line=${line}]`,
    `Your context window is ${percent}% full (${fill} of ${window} tokens) and will be compacted before long.`,
    'Please write a handover now, while there is room for it.',
    '',
    '1. Read the live state first, do not write from memory: the branch and the working tree, the recent',
    "   commits, and the supervisor's own check.",
    `2. Write these three sections, none of them empty, and give them to \`${COMMAND}\` on its standard`,
    '   input:',
    '   # Objective',
    '   # Current State',
    '   # Next Action',
    '3. Report the path of the record that it wrote. Then stop.',
    '',
  ].join('\n');
}

// The same words that `baton` looks for in a transcript: a reading option makes it a read.
function writesHandover(command: unknown): boolean {
  if (typeof command !== 'string') return false;
  const names = /(?:^|[^A-Za-z0-9_])majordomus[ \t\n\v\f\r]+handover(?![A-Za-z0-9_])/.test(command);
  const reads = /--(?:resolve|list|help)(?![A-Za-z0-9_])/.test(command);
  return names && !reads;
}

async function isSupervised(session: Session): Promise<boolean> {
  const root = await session.session.root();
  if (typeof root !== 'string' || root === '') return false;
  return (await session.fs.exists(`${root}/${MANIFEST}`)) === true;
}

// Queued, and not waited for: the turn that it starts may come long after the event that is held up here.
function submit(session: Session, text: string, failed: () => void): void {
  Promise.resolve(session.prompt.submit({ text }))
    .catch((error) => {
      failed();
      throw error;
    })
    .then(() => session.ui.toast('Asked for a handover: the context window is nearly full.'))
    .catch(() => undefined); // nobody to tell
}

async function measured(session: Session, event: MeasureEvent, state: State): Promise<void> {
  const fill = event?.context?.tokens;
  const window = event?.context?.window;
  if (!isCount(fill) || !isCount(window) || window === 0) return;
  const line = lineOf(window);
  if (fill * 1000 < line * REARM_PERMILLE) {
    state.asked = false;
    state.written = false;
    state.windows++;
  }
  if (state.asked || state.written || fill < line) return;
  const ordinal = state.windows;
  const forget = () => {
    if (state.windows === ordinal) state.asked = false; // looked at again at the next measurement
  };
  state.asked = true; // before anything is awaited: two measurements must not both ask
  try {
    const supervised = await isSupervised(session);
    if (state.windows !== ordinal) return; // meanwhile it is another window
    if (supervised && !state.written) submit(session, requestText(fill, window, line), forget);
    else forget();
  } catch (error) {
    forget();
    throw error;
  }
}

// An early interface: whatever it does not offer, we do without.
function inert(attempt: () => void): void {
  try {
    attempt();
  } catch {
    // nobody to tell
  }
}

export const register: Register = (on) => {
  const state: State = { asked: false, written: false, windows: 0 };
  inert(() =>
    on('session.measure', async (session, event, next) => {
      await measured(session, event, state).catch(() => undefined);
      return next(event);
    }),
  );
  inert(() =>
    on('tool.call', { tool: 'Bash' }, async (_session, event: CallEvent, next) => {
      const result = await next(event);
      inert(() => {
        if (writesHandover(event?.command) && !result?.deny && !result?.isError) state.written = true;
      });
      return result;
    }),
  );
};
