"""Application window, overlays over any screen (help, glossary, settings), and game views."""
