# tests/support/stores.sh - every transcript of the golden signals as a session of its harness's own store. Sourced.

# fill_stores SIGNALS.json HOME: writes the files and, to $HOME/cases, one line each: case number, session id as it must be
# found (or - where the content decides), path below HOME. Ids that several cases share become one of their own each.
fill_stores() {
  local signals=$1 home=$2 count i name harness file uuid thread path
  count=$(jq '.cases | length' "$signals")
  : >"$home/cases"
  for ((i = 0; i < count; i++)); do
    IFS=$'\t' read -r name harness file < <(jq -r ".cases[$i] | [.name, .harness, .file] | @tsv" "$signals")
    uuid=$(printf '5b1f0c3e-1111-4a2b-8c3d-%012d' "$i") thread=$(printf '019b0000-0000-7000-8000-%012d' "$i")
    case $harness in
    codex) path=.codex/sessions/2026/01/01/${file/019b0000-0000-7000-8000-000000000001/$thread} ;;
    pi) path=.pi/agent/sessions/--home-dev-pi--/$file ;;
    gemini) path=.gemini/tmp/widget/chats/$file ;;
    opencode) path=.local/share/opencode/storage/session/global/$file ;;
    *) path=.claude/projects/-fixtures-$name/${file/5b1f0c3e-1111-4a2b-8c3d-0123456789ab/$uuid} ;;
    esac
    mkdir -p "$home/${path%/*}"
    write_transcript "$signals" "$i" | LC_ALL=C sed -e "s/5b1f0c3e-1111-4a2b-8c3d-0123456789ab/$uuid/g" \
      -e "s/019b0000-0000-7000-8000-000000000001/$thread/g" >"$home/$path"
    printf '%s %s\n' "$i" "$path" >>"$home/cases"
  done
}

# The bytes of one case.
write_transcript() {
  local signals=$1 case=".cases[$2].transcript" pieces k
  case $(jq -r "$case | type" "$signals") in
  string) jq -j "$case" "$signals" ;;
  *)
    if [ "$(jq "$case | has(\"b64\")" "$signals")" = true ]; then
      jq -r "$case.b64" "$signals" | base64 -d
      return
    fi
    pieces=$(jq "$case.repeat | length" "$signals")
    for ((k = 0; k < pieces; k++)); do
      if [ "$(jq "$case.repeat[$k] | has(\"b64\")" "$signals")" = true ]; then
        local times n
        times=$(jq "$case.repeat[$k].n // 1" "$signals")
        for ((n = 0; n < times; n++)); do jq -r "$case.repeat[$k].b64" "$signals" | base64 -d; done
      else
        jq -j "$case.repeat[$k] | (.n // 1) as \$n | .text * \$n" "$signals"
      fi
    done
    ;;
  esac
}

# A session of OpenCode's tree, in pieces: two messages, three parts; and names of Codex threads.
fill_tree() {
  local storage=$1/.local/share/opencode/storage
  mkdir -p "$storage/session/p" "$storage/message/ses_tree" "$storage/part/msg_1" "$storage/part/msg_2"
  printf '{"id":"moved","directory":"/home/dev/oc","title":"In pieces","version":"1.0","time":{"created":1767261600000,"updated":1767261601000}}' \
    >"$storage/session/p/ses_tree.json"
  printf '{"id":"msg_1","role":"user","time":{"created":1767261601000}}' >"$storage/message/ses_tree/msg_1.json"
  printf '{"type":"text","text":"Tidy it"}' >"$storage/part/msg_1/prt_1.json"
  printf '{"id":"msg_2","role":"assistant","modelID":"m-1","time":{"created":1767261602000,"completed":1767261603000},"finish":"stop","tokens":{"input":1000,"output":20,"reasoning":0,"cache":{"read":300,"write":4}}}' \
    >"$storage/message/ses_tree/msg_2.json"
  printf '{"type":"tool","callID":"c1","tool":"edit","state":{"status":"completed","input":{"a":1},"output":"done so"}}' \
    >"$storage/part/msg_2/prt_1.json"
  printf '{"type":"text","text":"It is tidy"}' >"$storage/part/msg_2/prt_2.json"
  printf '{"id":"019b0000-0000-7000-8000-%012d","thread_name":"A named thread","updated_at":"x"}\n' 36 >"$1/.codex/session_index.jsonl"
}
