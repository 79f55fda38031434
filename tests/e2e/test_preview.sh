#!/usr/bin/env bash
# The preview: right, below or off by width and by key, and where it was when the dashboard is opened again.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a

start "$folder"; ready
see '^── why c0de4471'
keys p
see '│── why c0de4471'
keys j
see '│── why 7f3a91c2-auth'
mux resize-window -x 80 -y 24
see '^── why 7f3a91c2-auth'
mux resize-window -x 50 -y 24
see '!' 'why 7f3a91c2-auth'
mux resize-window -x 120 -y 36
see '│── why 7f3a91c2-auth'
keys q; see 'left with 0'
start "$folder"; ready
see '│── why c0de4471'
keys p; see '^── why c0de4471'
keys p; see 'no preview'
see '!' '── why'
keys q; see 'left with 0'
start "$folder" --readonly; ready
see '!' '── why'
keys p; see '^── why c0de4471'
keys q; see 'left with 0'
start "$folder"; ready
see '!' '── why'
finish
