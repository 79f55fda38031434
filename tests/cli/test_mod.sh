#!/usr/bin/env bash
# tests/cli/test_mod.sh BATON - the mod is type-checked, compiled and run against a provider made of paper.
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
command -v tsc >/dev/null 2>&1 || skip 'no TypeScript compiler (node-typescript)'
command -v node >/dev/null 2>&1 || skip 'no node (nodejs)'
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
tsc -p "$top/mod/tsconfig.json" --outDir "$out" || { echo 'the mod does not pass the type checker'; exit 1; }
module=$(find "$out" -name register.js | head -n 1)
[ -n "$module" ] || { echo 'nothing was compiled'; exit 1; }
node "$top/mod/test/register.test.js" "$module" "$top/tests/vectors/handover.json" || exit 1
# The words of the request are the same in the program and in the mod.
says=$(node -e '
  const { register } = require(process.argv[1]);
  register((name, ...rest) => {
    if (name !== "session.measure") return;
    const session = { session: { root: () => "/r" }, fs: { exists: () => true }, ui: { toast() {} },
      prompt: { submit: ({ text }) => process.stdout.write(text) } };
    rest[0](session, { context: { tokens: 141000, window: 200000 } }, async () => undefined);
  });' "$module")
mkdir -p "$out/projects/p" "$out/root/.ai"
: >"$out/root/.ai/manifest.yaml"
printf '{"type":"assistant","sessionId":"s1","cwd":"%s","message":{"model":"m","usage":{"input_tokens":141000}}}\n' "$out/root" \
  >"$out/projects/p/s1.jsonl"
ours=$(XDG_STATE_HOME="$out/state" "$1" ask text s1 --projects "$out/projects")
[ "$says" = "$ours" ] || { diff <(echo "$says") <(echo "$ours"); echo 'mod and program ask in different words'; exit 1; }
