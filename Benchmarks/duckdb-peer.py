"""Times duckdb at the statements of works, and at the import of a file.

    duckdb-peer.py PEOPLE ENTRIES SECONDS IMPORT ONE-CORE ALL-CORES

reads a line for each work from standard input, its name and its statement with a tab between. It prints a line for each
work, once for one core and once for all: the peer, the work, the shortest time in seconds, and the statement's first
value, with tabs between.
"""

import os
import sys
import time

import duckdb


def shortest(seconds, at_most, work):
    """Calls work at least three times; returns the shortest time and the last result."""
    end = time.perf_counter() + seconds
    times = []
    while len(times) < 3 or (len(times) < at_most and time.perf_counter() < end):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times), result


def measure(peer, cores, works, people, entries, seconds, import_name):
    database = duckdb.connect()
    database.execute(f"SET threads = {cores}")
    database.execute(f"CREATE TABLE person AS FROM read_csv('{people}')")

    def value(statement):
        return int(database.execute(statement).fetchone()[0])

    for name, statement in works:
        duration, result = shortest(seconds, 51, lambda: value(statement))
        print(peer, name, duration, result, sep="\t", flush=True)

    def imported():
        database.execute(f"CREATE OR REPLACE TABLE entry AS FROM read_csv('{entries}')")

    duration, _ = shortest(seconds, 3, imported)
    count = value("SELECT count(*) FROM entry")
    print(peer, import_name, duration / count, count, sep="\t", flush=True)


def main():
    people, entries, seconds, import_name, one_core, all_cores = sys.argv[1:]
    works = [line.rstrip("\n").split("\t") for line in sys.stdin]
    print(f"duckdb {duckdb.__version__}")
    for peer, cores in [(one_core, 1), (all_cores, os.cpu_count())]:
        measure(peer, cores, works, people, entries, float(seconds), import_name)


main()
