#!/bin/sh
# A night: the notes in FOLDER/in are released into FOLDER/out if they are like those that were
# evaluated. Whatever stops it, the same command goes on. docs/daily.md tells what each code means.
#
#   daily.sh FOLDER [OPTION of dpdeid run …]
#
# It says counts and names that it gave itself. Names of files that came in may be those of
# patients: they stand in the log of the night, which only its owner can read.
set -u
umask 077

say() { printf 'daily: %s\n' "$*"; }

stop() { # CODE WORDS: ends here
  code=$1 && shift
  say "$*" >&2
  exit "$code"
}

alert() { # CODE WORDS: goes on; the smallest code is the one at the end
  if [ "$end" -eq 0 ] || [ "$1" -lt "$end" ]; then end=$1; fi
  shift
  say "$*" >&2
}

move() { # FILE PLACE
  mv -- "$1" "$2" 2>/dev/null || stop 5 "cannot move into $2: it goes on at the next start"
}

take() { # what lies in the inbox becomes a night
  night=$home/running/$(date -u +%Y-%m-%dT%H%M%SZ)
  for file in "$home"/in/*; do
    case $file in *.part) continue ;; esac
    [ -e "$file" ] || continue
    mkdir -p "$night/notes" || stop 5 "cannot write $home/running"
    move "$file" "$night/notes/"
  done
  [ -d "$night" ]
}

released() { # NIGHT [OPTION…]: rows in it, or the end
  night=$1 && shift
  [ ! -e "$night/status" ] || return 0
  rm -f "$night"/*.part
  dpdeid run "$night/notes" -o "$night/released.jsonl" --spans "$night/spans.jsonl" \
    --ledger "$night/ledger.json" --cohort "$home/cohort" \
    --workers "$(getconf _NPROCESSORS_ONLN)" --resume "$@" >>"$night/log" 2>&1
  code=$?
  case $code in
    0 | 3 | 4) ;;
    1) stop 5 "${night##*/}: dpdeid run broke down, nothing is released; see $night/log" ;;
    *) stop "$code" "${night##*/}: dpdeid run ended with $code, nothing is released; see $night/log" ;;
  esac
  echo "$code" >"$night/new" || stop 5 "cannot write $night/new"
  move "$night/new" "$night/status"
}

pass() { # NIGHT [OPTION…]: from notes to out and done, or to held
  night=$1
  name=${night##*/}
  released "$@"
  code=$(cat "$night/status")
  if [ "$code" -eq 4 ]; then
    move "$night" "$home/held/"
    alert 4 "$name: no row was processed, nothing is released; see $home/held/$name/log"
    return
  fi
  if [ -e "$night/released.jsonl" ]; then
    dpdeid monitor "$night/spans.jsonl" --baseline "$home/baseline.json" \
      --json "$night/monitor.json" >>"$night/log" 2>&1
    case $? in
      0) ;;
      1 | 4)
        move "$night" "$home/held/"
        alert 1 "$name: the monitor failed, nothing is released; see $home/held/$name/log"
        return
        ;;
      *) stop 2 "$name: the monitor cannot work, nothing is released; see $night/log" ;;
    esac
    chmod 640 "$night/released.jsonl" || stop 5 "cannot open $night/released.jsonl to its group"
    move "$night/released.jsonl" "$home/out/$name.jsonl"
  fi
  rm -f "$night/spans.jsonl"
  move "$night" "$home/done/"
  log=$home/done/$name/log
  say "$name: $(sed -n 's/^dpdeid: \([0-9,]* rows* released, .* left out\) in .*/\1/p' "$log" | tail -n 1)"
  if [ "$code" -eq 3 ]; then alert 3 "$name: some rows failed, the others are released; see $log"; fi
  if grep -q '^dpdeid: .* not read (' "$log"; then
    alert 3 "$name: files of unknown kinds were not read; see $log"
  fi
}

[ $# -ge 1 ] && [ -d "$1/in" ] && [ -d "$1/cohort" ] ||
  stop 2 "daily.sh FOLDER [OPTION of dpdeid run …]: FOLDER holds in and cohort"
home=$1 && shift
exec 9<"$home"
flock -n 9 || stop 2 "another night is at work in $home"
mkdir -p "$home/running" "$home/out" "$home/done" "$home/held" || stop 5 "cannot write $home"

end=0 begun=
for night in "$home"/running/*; do
  rmdir "$night/notes" "$night" 2>/dev/null # stopped before it took a note
  [ -d "$night" ] || continue
  begun=yes
  pass "$night" "$@"
done
if take; then
  pass "$night" "$@"
elif [ -z "$begun" ]; then
  alert 4 "no file in $home/in"
fi
exit "$end"
