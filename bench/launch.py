"""Runs a command and prints what it took, as JSON: `launch.py COMMAND …`.

A process of its own, and a small one: the highest memory that the system reports of a child is at
least what its parent had when it was started.
"""

import json
import os
import subprocess
import sys
import time

start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)  # our own command
_, status, usage = os.wait4(process.pid, 0)
wall = time.perf_counter() - start
cpu = usage.ru_utime + usage.ru_stime
print(json.dumps({"wall": wall, "cpu": cpu, "peak_mb": usage.ru_maxrss / 1024, "status": status}))
