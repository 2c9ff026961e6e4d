#!/usr/bin/env bash
# Every benchmark, one after the other: ratios against a peer measured in the same run.
set -euo pipefail
program=${1:?usage: bench/run.sh build/plimsoll}
here=$(dirname "$0")
/usr/bin/python3 "$here/weigh_startup.py" "$program"
/usr/bin/python3 "$here/startup_ratio.py" "$program"
/usr/bin/python3 "$here/weigh_large_file.py" "$program"
cmake --build "$(dirname "$program")" --target plan_large zoo_catalog >/dev/null
"$(dirname "$program")/bench/plan_large"
"$(dirname "$program")/bench/zoo_catalog"
