"""Tiddlywinks in the window: a mat with a pot, winks that fly, piles, and the squidger in one's hand."""
