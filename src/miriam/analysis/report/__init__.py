"""The report: one page of HTML on what a run of tuning has changed, and why."""
