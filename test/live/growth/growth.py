#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does dtlive grow?  Hours of data with keys and stacks that come and go, as fast as it takes them.

    growth.py DTLIVE WRITE_HOURS [--seconds 28800] [--rows 6] [--retention 600s] [--margin 1.25]

Keys and stacks that nothing shows any more are forgotten all at once when there are many, so memory
goes up and down, several times in each half of the run.  The most that the process has in the second half must
be what it had in the first, but for the margin, and what `status` says must be a part of it.
"""
import argparse, json, os, subprocess, sys, tempfile, time, urllib.request


START = 1700000000000       # of write_hours.c


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dtlive")
    parser.add_argument("write_hours")
    parser.add_argument("--seconds", type=int, default=28800)
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--retention", default="600s")
    parser.add_argument("--margin", type=float, default=1.25)
    options = parser.parse_args()
    samples = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        recording = os.path.join(directory, "recording")
        subprocess.run([options.write_hours, recording, str(options.seconds), str(options.rows)], check=True)
        # at full speed the server takes turns with its clients, so it is asked while it reads
        process = subprocess.Popen([options.dtlive, "--replay", recording, "--retention", options.retention], stdout=subprocess.PIPE, text=True)
        base, token = process.stdout.readline().strip().split("/?token=")

        def get(path):
            request = urllib.request.Request(base + "/api/1" + path, headers={"Authorization": "Bearer " + token})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        try:
            while True:
                status, one = get("/status"), get("/instrumentations/1")
                samples.append(((status["now"] - START) / 1000, status["memory"]["used"], status["memory"]["rss"]))
                if one["state"] != "running":
                    break
                time.sleep(0.1)
            values = get("/instrumentations/1/values")
            kept = urllib.request.Request(base + "/api/1/instrumentations/1/recording", headers={"Authorization": "Bearer " + token})
            with urllib.request.urlopen(kept, timeout=60) as answer:      # it is kept, too
                size = len(answer.read())
        finally:
            process.terminate()
            process.wait()
    half = options.seconds / 2
    first = [sample for sample in samples if options.seconds / 8 < sample[0] <= half]
    second = [sample for sample in samples if sample[0] > half]
    columns = {column["t"] for column in values["columns"]}
    if one["state"] != "ended" or not first or not second:
        print(f"it was not looked at in time: {one['state']} {one['reason']}, {len(samples)} samples")
        return 1
    then, now = (max(sample[2] for sample in some) for some in (first, second))
    used_then, used_now = (max(sample[1] for sample in some) for some in (first, second))
    print(f"{options.seconds} s, {options.rows} rows: {len(columns)} columns kept; lost: " +
          ", ".join(f"{one['status'][name]} {name.split('_')[0]}" for name in ("keys_lost", "stacks_lost", "columns_lost")), file=sys.stderr)
    print(f"at most in the first half: {used_then / 1e6:.1f} MB of data in {then / 1e6:.1f} MB; in the second: {used_now / 1e6:.1f} MB in {now / 1e6:.1f} MB; a recording has {size / 1e6:.1f} MB", file=sys.stderr)
    is_good = now <= then * options.margin and used_now <= used_then * options.margin and used_now < now
    print(f"{len(columns)} columns are kept", "it does not grow" if is_good else "it grows", sep="\n")
    return not is_good


if __name__ == "__main__":
    sys.exit(main())
