"""Main menu and the screens reached from it before a game begins."""
