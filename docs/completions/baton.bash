# bash completion for baton. Made by tools/docs.sh.
_baton() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= part= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      handoff | -*) ;;
      *) if [ -z "$command" ]; then command=${COMP_WORDS[i]}; elif [ -z "$part" ]; then part=${COMP_WORDS[i]}; fi ;;
    esac
  done
  case $before in
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    --theme) COMPREPLY=($(compgen -W "dark light cb mono" -- "$word")); return ;;
    --print) COMPREPLY=($(compgen -W "default vim emacs" -- "$word")); return ;;
    --harness) COMPREPLY=($(compgen -W "claude-code codex" -- "$word")); return ;;
    --keymap) COMPREPLY=($(compgen -W "default vim emacs" -- "$word") $(compgen -f -- "$word")); return ;;
    --session | --deny-session) COMPREPLY=($(compgen -W "$(baton list --jsonl 2>/dev/null | grep -o '{"id":"[A-Za-z0-9._-]*"' | cut -d\" -f4)" -- "$word")); return ;;
    --dir | --projects | --repo | --root) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --body-out | --capture-from | --directive-file | --from | --host-store | --import | --path | --pr-state | --source) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --authorization | --authorize | --bash | --body-out | --branch | --capture-from | --completed | --content-hash | --detail | --dir | --directive | --directive-file | --evidence | --filter | --frames | --from | --gate | --head | --host | --host-store | --host-store-name | --import | --interval | --ledger-lock | --limit | --model | --nonce | --now | --objective | --path | --pending | --pid | --pr | --pr-max-age | --pr-state | --projects | --provider | --remote | --repo | --reverified | --root | --since | --source | --started-at | --stop-detail | --stop-reason | --store | --supersede | --ticket | --unbound-reason | --watcher | --watcher-dead | --watcher-live | --window | --withhold) return ;;
  esac
  local words
  case "$command $part" in
    ' ') [[ " ${COMP_WORDS[*]:1:COMP_CWORD-1} " == *' handoff '* ]] && words='write resume bypass repair unlock continue supervise' && COMPREPLY=($(compgen -W "$words" -- "$word")) && return ;;&
    'help ') words='write resume bypass repair unlock continue supervise list show brief locks denies why log verify records sample bootstrap hook delivery ask undo scan keys info ui' ;;
    'records skill') words='install update remove verify list where' ;;
    'records ') words='build list show verify retitle rename config adapt skill' ;;
    'hook pre-tool') words='--harness --help' ;;
    'hook session-start') words='--harness --help' ;;
    'hook install') words='--harness --project --write --json --help' ;;
    'hook remove') words='--harness --project --write --json --help' ;;
    'hook status') words='--harness --project --write --json --help' ;;
    'delivery record') words='--repo --remote --pr-state --gh --pr-max-age --host-store --host-store-name --authorization --now --directive --directive-file --pr --no-pr --branch --head --supersede --stop-reason --stop-detail --store --from --update --replace-corrupt --confirm-publish --body-out --write --json --help --authorize --withhold --pending --completed --watcher --watcher-live --watcher-dead' ;;
    'delivery show') words='--repo --remote --pr-state --gh --pr-max-age --host-store --host-store-name --authorization --now --pr --json --help --watcher-live --watcher-dead' ;;
    'delivery validate') words='--repo --remote --pr-state --gh --pr-max-age --host-store --host-store-name --authorization --now --pr --json --help --watcher-live --watcher-dead' ;;
    'delivery reconcile') words='--repo --remote --pr-state --gh --pr-max-age --host-store --host-store-name --authorization --now --pr --supersede --confirm-publish --body-out --write --json --help --reverified --watcher --watcher-live --watcher-dead' ;;
    'delivery close') words='--repo --remote --pr-state --gh --pr-max-age --host-store --host-store-name --authorization --now --pr --delivered --evidence --boundary-stop --detail --resumable --confirm-publish --body-out --write --json --help --completed --watcher-live --watcher-dead' ;;
    'ask watch') words='--projects --window --help --once --follow --session --json --records' ;;
    'ask ack') words='--projects --window --help' ;;
    'ask text') words='--projects --window --help' ;;
    'ask install') words='--provider --root --json --help --write --alongside' ;;
    'ask remove') words='--provider --root --json --help --write' ;;
    'ask status') words='--provider --root --json --help --check' ;;
    'write '*) words='--session --ticket --host --content-hash --dir --write --plan --json --help' ;;
    'resume '*) words='--session --deny-session --dir --write --plan --json --help' ;;
    'bypass '*) words='--session --unbound-reason --ticket --dir --write --plan --json --help' ;;
    'repair '*) words='--session --ticket --content-hash --host --dir --write --plan --json --help' ;;
    'unlock '*) words='--session --pid --started-at --host --nonce --ledger-lock --pid-reused --dir --write --plan --json --help' ;;
    'continue '*) words='--deny-session --session --capture-from --ticket --host --dir --write --plan --json --help' ;;
    'supervise '*) words='--dir --json --list --help' ;;
    'list '*) words='--dir --json --color --help --import --all --filter --jsonl --watch --frames --interval' ;;
    'show '*) words='--dir --json --color --help --import --all' ;;
    'brief '*) words='--dir --json --color --help --diff' ;;
    'locks '*) words='--dir --json --color --help' ;;
    'denies '*) words='--dir --json --color --help' ;;
    'why '*) words='--path --bash --dir --json --help' ;;
    'log '*) words='--dir --gate --session --since --limit --json --jsonl --actions --follow --color --help' ;;
    'verify '*) words='--dir --json --help' ;;
    'records '*) words='--source --from --session --project --harness --model --objective --force-harness --force-model --redact --deep --json' ;;
    'sample '*) words='--help' ;;
    'bootstrap '*) words='--dir --help' ;;
    'hook '*) words='pre-tool session-start install remove status' ;;
    'delivery '*) words='record show validate reconcile close' ;;
    'ask '*) words='watch ack text install remove status' ;;
    'undo '*) words='--dir --write --plan --json --help' ;;
    'scan '*) words='--dir --json --color --help --import --all' ;;
    'keys '*) words='--keymap --check --print --json --help' ;;
    'info '*) words='--dir --json --help' ;;
    'ui '*) words='--dir --readonly --keymap --theme --color --all --ascii --mouse --utc --import --plain --no-inotify --help' ;;
    *) words='write resume bypass repair unlock continue supervise list show brief locks denies why log verify records sample bootstrap hook delivery ask undo scan keys info ui handoff --version --readonly --dir --readonly --keymap --theme --color --all --ascii --mouse --utc --import --plain --no-inotify --help' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _baton baton
