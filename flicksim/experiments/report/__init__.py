"""HTML report of experiment results: tables with intervals, and plots."""

from flicksim.experiments.report.html_page import write_report

__all__ = ["write_report"]
