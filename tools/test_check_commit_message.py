#!/usr/bin/env python3
"""Good messages pass, and each thing that can be wrong with one is found."""
import unittest

from check_commit_message import complaints

GOOD = ("memory: pack by size, then by start\n", "tests: a worker may be slow\n\nBeside others it is.\n",
        "run/data: read twice\n# Please enter the commit message\n", "Merge branch 'memory'\n", "plan, run: one name\n",
        "Revert \"memory: pack by size\"\n\nIt was slower.\n")
BAD = {"characters": "memory: " + "x" * 65 + "\n", "room": "Pack by size\n", "full stop": "memory: pack by size.\n",
       "is empty": "memory: pack by size\nthen by start\n"}


class CommitMessage(unittest.TestCase):
    def test_good_messages_pass(self):
        for message in GOOD:
            self.assertEqual([], list(complaints(message)), message)

    def test_bad_messages_are_found(self):
        for word, message in BAD.items():
            found = list(complaints(message))
            self.assertEqual(1, len(found), message)
            self.assertIn(word, found[0])


if __name__ == "__main__":
    unittest.main()
