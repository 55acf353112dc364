"""Online games in the window: hosting, joining, and what is said at the table."""
