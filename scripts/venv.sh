#!/bin/sh
# Makes a virtual environment in the folder named by the first argument with the first Python 3.11 or newer found on this machine.
set -eu

folder=$1
found=

for name in ${PYTHON:-python3.13 python3.12 python3.11 python3.14 python3}; do
    "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
    found=${found:-$name}
    if "$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        echo "$folder: made with $("$name" --version)"
        exec "$name" -m venv --clear "$folder"
    fi
done

if [ -z "$found" ]; then
    echo "clew needs Python 3.11 or newer, and none was found: install one, or name it: make PYTHON=/path/to/python" >&2
    exit 1
fi

# Debian and Ubuntu keep ensurepip in a package of its own.
package=$("$found" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "$found has no ensurepip: installing $package"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" </dev/null
    exec "$found" -m venv --clear "$folder"
fi
echo "$found cannot make a virtual environment: its module ensurepip is missing." >&2
echo "On Debian or Ubuntu: sudo apt-get install $package; then run make again." >&2
exit 1
