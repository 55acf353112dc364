"""Tests of online play."""
