"""A match under way on any table, and what can be done with its turns: own up, take back, look through, keep."""
