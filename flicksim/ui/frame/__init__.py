"""The window itself and what may lie over any screen: help, words, settings; and how a game shows its face."""
