"""The front door and what lies behind it before a game begins."""
