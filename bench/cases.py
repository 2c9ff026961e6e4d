"""NETWORK:BATCH on a command line of a benchmark."""


def add_cases(parser):
    parser.add_argument("cases", nargs="*", metavar="NETWORK:BATCH")


def checked_cases(parser, cases, usual):
    """Those that were given, else the usual ones; a mistake ends the program with a line that says so."""
    for case in cases:
        network, _, batch = case.partition(":")
        if not network or not batch.isdigit() or int(batch) < 1:
            parser.error(f"{case!r}: expected NETWORK:BATCH, for example alexnet:32")
    return cases or usual
