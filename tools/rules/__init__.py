"""The house rules, a file for each subject."""
